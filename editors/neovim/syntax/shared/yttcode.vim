" The words of ytt's code, for files that contain it in places of their own: the cluster @yttCode.

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
