" ytt's text templates: code between `(@` and `@)`, all else is text.

if exists('b:current_syntax')
  finish
endif
runtime syntax/shared/yttcode.vim
syntax region yttBlock matchgroup=yttMacro start=/(@[=-]*/ end=/-\=@)/ contains=@yttCode keepend
let b:current_syntax = 'ytttext'
