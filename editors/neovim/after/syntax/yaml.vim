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

syntax cluster yttCode contains=yttComment,yttString,yttNumber,yttKeyword,yttConstant,yttFunction,yttParameter,yttProperty
syntax match yttProperty /\.\@1<=\h\w*/ contained
syntax match yttParameter /\<\h\w*\ze\s*==\@!/ contained
syntax match yttFunction /\<\h\w*\ze\s*(/ contained
syntax match yttNumber /\<\d\+\%(\.\d*\)\=\>/ contained
syntax keyword yttKeyword if elif else for while def end return load break continue pass lambda and or not in contained
syntax keyword yttConstant None True False contained
syntax match yttComment /[^#]\zs\s\@1<=#[^@].*$/ contained
syntax region yttString start=/"/ skip=/\\./ end=/"/ oneline contained
syntax region yttString start=/'/ skip=/\\./ end=/'/ oneline contained

highlight default link yttDecorator PreProc
highlight default link yttMacro PreProc
highlight default link yttKeyword Keyword
highlight default link yttConstant Constant
highlight default link yttFunction Function
highlight default link yttParameter Identifier
highlight default link yttProperty Identifier
highlight default link yttNumber Number
highlight default link yttString String
highlight default link yttComment Comment
