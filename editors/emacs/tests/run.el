;;; run.el --- drives eglot against the server  -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs --batch -q -l tests/run.el SERVER
;; Prints one line for each check and, at the end, `N passed, N failed'.

;;; Code:

(setq package-install-upgrade-built-in nil)
(package-initialize)
(unless (and (require 'eglot nil t) (require 'yaml-mode nil t))
  (princ "skipped: this Emacs has no eglot, or no yaml-mode\n")
  (kill-emacs 0))
(require 'flymake)
(load (expand-file-name "../lofting.el" (file-name-directory load-file-name)) nil t)

(defvar run-server (car command-line-args-left))
(setq command-line-args-left nil)
(defvar run-passed 0)
(defvar run-failed 0)

(defun run-check (name good &optional got)
  "Count the check NAME as passed if GOOD; otherwise print GOT."
  (if good (setq run-passed (1+ run-passed)) (setq run-failed (1+ run-failed)))
  (princ (format "%s %s%s\n" (if good "ok  " "FAIL") name (if (or good (null got)) "" (format "\n     got: %S" got)))))

(defun run-wait (condition)
  "Wait until CONDITION answers something, at most 20 seconds."
  (let ((end (+ (float-time) 20)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    found))

(defun run-findings ()
  "The texts of the findings in the current buffer."
  (flymake-start)
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun run-has (text list)
  "Whether one of the strings of LIST has TEXT in it."
  (seq-some (lambda (each) (string-match-p (regexp-quote text) each)) list))

(let* ((root (file-name-as-directory (make-temp-file "lofting" t)))
       (file (lambda (name text)
               (make-directory (file-name-directory (concat root name)) t)
               (write-region text nil (concat root name) nil 'quiet)
               (concat root name)))
       (eglot-sync-connect 20))
  (make-directory (concat root ".git"))
  (funcall file "config/schema.yml"
           "#@data/values-schema\n---\nservice:\n  #@schema/desc \"The port which the service listens on\"\n  port: 8080\n  #@schema/validation one_of=[\"http\", \"grpc\"]\n  protocol: http\n")
  (find-file (funcall file "values.yml" "service:\n  port: \"80\"\n  \n"))
  (setq-default project-find-functions (list (lambda (_) (cons 'transient root))))
  (add-to-list 'eglot-server-programs `((yaml-mode) . (,run-server "lsp")))
  (apply #'eglot (let ((noninteractive t)) (eglot--guess-contact)))
  (let ((server (eglot-current-server)))
    (run-check "the server is there" server)
    (run-check "a mistake is a finding"
               (run-wait (lambda () (run-has "should be an integer" (run-findings)))) (run-findings))
    (goto-char (point-min))
    (search-forward "port")
    (let ((hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams))))
      (run-check "hover has the description" (string-match-p "port which the service listens on" (format "%S" hover)) hover))
    (goto-char (point-min))
    (forward-line 2)
    (end-of-line)
    (insert "pro")
    (let ((found (all-completions "pro" (nth 2 (eglot-completion-at-point)))))
      (run-check "the missing key is completed" (run-has "protocol" found) found))
    (delete-char -3)
    (eglot--signal-textDocument/didChange)
    (goto-char (point-min))
    (search-forward "\"8")
    (let* ((actions (append (jsonrpc-request server :textDocument/codeAction
                                             (list :textDocument (eglot--TextDocumentIdentifier)
                                                   :range (list :start (eglot--pos-to-lsp-position)
                                                                :end (eglot--pos-to-lsp-position))
                                                   :context (list :diagnostics [] :only ["quickfix"])))
                            nil))
           (fix (car actions))
           (edit (or (plist-get fix :edit)
                     (plist-get (jsonrpc-request server :codeAction/resolve fix) :edit))))
      (run-check "there is a fix" edit actions)
      (eglot--apply-workspace-edit edit)
      ;; Eglot tells of changes when Emacs is idle, which it never is in batch mode.
      (eglot--signal-textDocument/didChange)
      (run-check "which repairs the text" (string-match-p "port: 80$" (buffer-string)) (buffer-string)))
    (run-check "and the finding goes" (run-wait (lambda () (not (run-has "should be an integer" (run-findings)))))
               (run-findings))
    (let ((shown (lofting-final-values)))
      (with-current-buffer shown
        (run-check "final values are shown" (string-match-p "port: 80 +#" (buffer-string)) (buffer-string))
        (run-check "in a text that cannot be changed" buffer-read-only))
      (goto-char (point-min))
      (search-forward "port: 80")
      (replace-match "port: 81")
      (let ((save-silently t)) (save-buffer))
      (with-current-buffer shown
        (run-check "which follows the file" (string-match-p "port: 81 +#" (buffer-string)) (buffer-string))))
    (with-current-buffer (lofting-explain)
      (run-check "the schema is explained" (string-match-p "config/schema.yml" (buffer-string)) (buffer-string)))
    (let (asked)
      (cl-letf (((symbol-function 'completing-read)
                 (lambda (prompt choices &rest _)
                   (push prompt asked)
                   (let ((names (mapcar (lambda (each) (if (consp each) (car each) each)) choices)))
                     (or (seq-find (lambda (name) (string-match-p "other\\.json\\|modeline" name)) names) (car names))))))
        (funcall file "other.json" "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\"}")
        (lofting-choose-schema))
      (run-check "a schema can be chosen" (member "Schema: " asked) asked)
      (run-check "and is written down" (string-match-p "\\`#.*other.json" (buffer-string)) (buffer-string)))
    (find-file (funcall file "config/app.yml" "#@ load(\"@ytt:data\", \"data\")\n---\nport: #@ data.values.service.port\n"))
    (eglot--maybe-activate-editing-mode)
    (with-current-buffer (lofting-preview)
      (run-check "what a template renders is shown" (string-match-p "port: 8080" (buffer-string)) (buffer-string))
      (goto-char (point-min))
      (search-forward "port:")
      (save-window-excursion
        (lofting-go-to-source)
        (run-check "and a line leads to its template"
                   (looking-at-p "port: #@") (list (buffer-name) (line-number-at-pos)))))
    (with-temp-buffer
      (setq buffer-file-name (concat root "config/lofting.toml"))
      (set-auto-mode)
      (run-check "lofting.toml has its mode" (eq major-mode 'lofting-toml-mode) major-mode)
      (setq buffer-file-name (concat root "config/functions.star"))
      (set-auto-mode)
      (run-check "Starlark has one as well" (eq major-mode 'lofting-star-mode) major-mode)
      (setq buffer-file-name nil))
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer (set-buffer-modified-p nil)))
    (ignore-errors (eglot-shutdown server))
    (run-check "the server ends" (run-wait (lambda () (not (jsonrpc-running-p server))))))
  (delete-directory root t)
  (princ (format "%d passed, %d failed\n" run-passed run-failed))
  (kill-emacs (if (= run-failed 0) 0 1)))

;;; run.el ends here
