" Colours annotations and code of ytt, which are comments to YAML, where Neovim's own syntax files do the colouring. Where
" tree-sitter does it, `queries/yaml` adds the same, and while the server runs, its semantic tokens say more.
" Groups are named after what the tokens of the server are called.

if exists('b:lofting_ytt_syntax')
  finish
endif
let b:lofting_ytt_syntax = 1

" `#@schema/desc "text"` and `#@ if value:`, but neither `#@` within a text nor ordinary comments.
syntax match yttAnnotation /\%(^\|\s\)#@\a[A-Za-z0-9_-]*\%(\/[A-Za-z0-9_-]\+\)\=\%(\s.*\)\=$/ contains=yttDecorator,@yttCode keepend
syntax match yttCode /\%(^\|\s\)#@\%(\s.*\)\=$/ contains=yttMacro,@yttCode keepend

" A value may begin with them.
syntax cluster yamlBlockNode add=yttAnnotation,yttCode
syntax cluster yamlFlowNode add=yttAnnotation,yttCode

syntax match yttDecorator /#@\a[A-Za-z0-9_\/-]*/ contained
syntax match yttMacro /#@/ contained

runtime syntax/shared/yttcode.vim
