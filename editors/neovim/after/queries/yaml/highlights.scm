;; extends

; Annotations and code of ytt, which are comments to YAML. The server's semantic tokens say more; these colours are there
; before it has answered, and where no server runs.
((comment) @attribute
  (#lua-match? @attribute "^#@%a[%w_/-]*")
  (#set! priority 101))

((comment) @keyword.directive
  (#lua-match? @keyword.directive "^#@%s")
  (#set! priority 101))
