;;; lofting.el --- Commands of Lofting, for eglot and lsp-mode  -*- lexical-binding: t; -*-

;; Author: The Lofting authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages, tools
;; URL: https://github.com/lofting-yaml/lofting

;;; Commentary:

;; `lofting lsp' answers more than the protocol asks: which schema governs a file and why, which others could, the final
;; data values of ytt, and what its templates render.  These commands ask for it, whichever client the buffer uses.
;; docs/editors/emacs.md of the repository has the lines that start the server.

;;; Code:

(require 'cl-lib)
(require 'conf-mode)
(require 'python)
(require 'seq)
(require 'url-parse)
(require 'url-util)

(defvar lsp-mode)
(declare-function eglot-current-server "eglot")
(declare-function eglot--apply-workspace-edit "eglot")
(declare-function eglot--signal-textDocument/didChange "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function lsp-request "lsp-mode")
(declare-function lsp--apply-workspace-edit "lsp-mode")
(declare-function lsp--text-document-identifier "lsp-mode")

;;; Languages that Emacs has no mode of its own for

;;;###autoload
(define-derived-mode lofting-toml-mode conf-toml-mode "Lofting"
  "Major mode for lofting.toml, so that other TOML keeps its server.")
(put 'lofting-toml-mode 'eglot-language-id "lofting-toml")

;;;###autoload
(define-derived-mode lofting-star-mode python-mode "Starlark"
  "Major mode for Starlark, whose words are those of Python.")
(put 'lofting-star-mode 'eglot-language-id "starlark")

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("/lofting\\.toml\\'" . lofting-toml-mode))
  (add-to-list 'auto-mode-alist '("\\.star\\'" . lofting-star-mode)))

;;; Asking the server

(defun lofting--client ()
  "The client that the current buffer uses: `eglot' or `lsp-mode'."
  (cond ((and (fboundp 'eglot-current-server) (eglot-current-server)) 'eglot)
        ((bound-and-true-p lsp-mode) 'lsp-mode)
        (t (user-error "Neither eglot nor lsp-mode runs in this buffer"))))

(defun lofting--ask (method &optional more)
  "Ask METHOD about the file of the current buffer, with MORE members."
  (if (eq (lofting--client) 'eglot)
      (progn
        ;; It tells of changes when Emacs is idle.
        (eglot--signal-textDocument/didChange)
        (jsonrpc-request (eglot-current-server) (intern (concat ":" method))
                         (append (list :textDocument (eglot--TextDocumentIdentifier)) more)))
    (lsp-request method (append (list :textDocument (lsp--text-document-identifier)) more))))

(defun lofting--get (object member)
  "What OBJECT, an answer as either client reads it, has as MEMBER."
  (if (hash-table-p object)
      (gethash (substring (symbol-name member) 1) object)
    (plist-get object member)))

(defun lofting--list (object member)
  "The list that OBJECT has as MEMBER."
  (append (lofting--get object member) nil))

(defun lofting--edit (edit)
  "Apply EDIT, which the server answered."
  (cond ((null edit) (message "Nothing to change"))
        ((eq (lofting--client) 'lsp-mode) (lsp--apply-workspace-edit edit))
        ;; Newer versions want to know for whom.
        ((eq 2 (car (func-arity 'eglot--apply-workspace-edit))) (eglot--apply-workspace-edit edit this-command))
        (t (eglot--apply-workspace-edit edit))))

;;; Texts that only the server has

(defvar-local lofting--source nil "The buffer that a text is about.")
(defvar-local lofting--fill nil "The function that asks for the text of the current buffer.")
(defvar-local lofting--shown nil "The buffers with texts about this one.")
(defvar-local lofting--origins nil "The answer that says where lines come from.")

(defvar lofting-shown-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'lofting-go-to-source)
    (define-key map (kbd "g") #'revert-buffer)
    (define-key map (kbd "q") #'quit-window)
    map)
  "Keys in texts that only the server has.")

(define-minor-mode lofting-shown-mode
  "Keys in texts that only the server has.
`g' asks again, RET goes to where a line comes from."
  :lighter " Shown")

(defun lofting--show (kind mode fill)
  "Show a text of some KIND about the current buffer, in MODE.
FILL returns it, given that buffer."
  (let* ((source (current-buffer))
         (name (format "*lofting %s: %s*" kind (buffer-name)))
         (buffer (get-buffer-create name)))
    (with-current-buffer buffer
      (funcall mode)
      (lofting-shown-mode)
      (setq lofting--source source
            lofting--fill fill
            revert-buffer-function #'lofting--fill-again)
      (lofting--fill-again))
    (cl-pushnew buffer lofting--shown)
    (add-hook 'after-save-hook #'lofting--fill-shown nil t)
    (display-buffer buffer)
    buffer))

(defun lofting--fill-again (&rest _)
  "Ask for the text of the current buffer again."
  (unless (buffer-live-p lofting--source)
    (user-error "The file is not open any more"))
  (let ((inhibit-read-only t) (place (point)) (text (funcall lofting--fill lofting--source)))
    (erase-buffer)
    (insert text)
    (goto-char (min place (point-max)))
    (set-buffer-modified-p nil)
    (setq buffer-read-only t)))

(defun lofting--fill-shown ()
  "Ask for all texts about the current buffer again."
  (setq lofting--shown (seq-filter #'buffer-live-p lofting--shown))
  (dolist (buffer lofting--shown)
    (with-current-buffer buffer
      (with-demoted-errors "Lofting: %S" (lofting--fill-again)))))

(defun lofting--yaml-mode ()
  "Colours of YAML, without a client that would ask the server about the text."
  (let ((delay-mode-hooks t))
    (delay-mode-hooks
      (cond ((fboundp 'yaml-mode) (funcall 'yaml-mode))
            ((fboundp 'yaml-ts-mode) (funcall 'yaml-ts-mode))
            (t (fundamental-mode))))))

(defun lofting--text (answer)
  "The text of ANSWER, with the reasons why it is outdated."
  (setq lofting--origins (and (lofting--get answer :sources) answer))
  (concat (mapconcat (lambda (reason) (format "#! %s\n" reason)) (lofting--list answer :reasons) "")
          (or (lofting--get answer :text) "#! Nothing is known for this file.\n")))

(defun lofting--show-answer (kind mode method text)
  "Show what METHOD answers about the current buffer, as `lofting--show' does.
KIND and MODE are for that; TEXT makes a text of the answer."
  (lofting--show kind mode
                 (lambda (source)
                   (funcall text (with-current-buffer source (lofting--ask method))))))

;;;###autoload
(defun lofting-final-values ()
  "Show the final data values of the current file, and where each comes from."
  (interactive)
  (lofting--show-answer "values" #'lofting--yaml-mode "lofting/finalDataValues" #'lofting--text))

;;;###autoload
(defun lofting-preview ()
  "Show what the current template renders.  RET goes to a line's template."
  (interactive)
  (lofting--show-answer "output" #'lofting--yaml-mode "lofting/renderedOutput" #'lofting--text))

;;;###autoload
(defun lofting-explain ()
  "Show which schema governs the current file, and why."
  (interactive)
  (lofting--show-answer "schema" #'text-mode "lofting/explain"
                        (lambda (answer) (lofting--get answer :markdown))))

(defun lofting-go-to-source ()
  "Go to the line of a template that the current line comes from."
  (interactive)
  (let* ((reasons (length (lofting--list lofting--origins :reasons)))
         (line (- (line-number-at-pos) 1 reasons))
         (lines (lofting--get lofting--origins :lines))
         (origin (and (<= 0 line) (< line (length lines)) (aref lines line))))
    (unless origin
      (user-error "This line comes from no file"))
    (let ((file (url-unhex-string (url-filename (url-generic-parse-url
                                                 (aref (lofting--get lofting--origins :sources) (aref origin 0)))))))
      (find-file-other-window (decode-coding-string file 'utf-8))
      (goto-char (point-min))
      (forward-line (aref origin 1)))))

;;; Choosing a schema

;;;###autoload
(defun lofting-choose-schema ()
  "Choose the schema of the current file, and where that is written."
  (interactive)
  (let* ((answer (lofting--ask "lofting/schemaChoices"))
         (choices (mapcar (lambda (choice)
                            (cons (format "%s%s  %s" (lofting--get choice :label)
                                          (if (memq (lofting--get choice :inForce) '(nil :json-false)) "" " (in force)")
                                          (lofting--get choice :description))
                                  choice))
                          (lofting--list answer :choices)))
         (chosen (and choices (cdr (assoc (completing-read "Schema: " choices nil t) choices))))
         (places (lofting--list chosen :places)))
    (unless chosen
      (user-error "%s" (or (lofting--get answer :reason) "There is no other schema")))
    (lofting--edit
     (lofting--ask "lofting/chooseSchema"
                   (list :choice (lofting--get chosen :choice)
                         :place (if (cdr places) (completing-read "Write it into: " places nil t) (car places)))))))

(provide 'lofting)

;;; lofting.el ends here
