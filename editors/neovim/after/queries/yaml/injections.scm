;; extends

; Code of ytt is written in Starlark, whose words are those of Python.
((comment) @injection.content
  (#lua-match? @injection.content "^#@%s")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "python"))
