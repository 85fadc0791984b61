" Vim syntax of LALA specifications (docs/LALA.md).
" Copy the folder editors/vim into ~/.vim/pack/assay/start/lala/.
if exists("b:current_syntax")
  finish
endif

syn keyword lalaKeyword class use loc
syn keyword lalaAttribute inh syn grd
syn keyword lalaThis this
syn keyword lalaConstant true false nil
syn keyword lalaType boolean int String List
syn match lalaComment "#.*$" contains=@Spell
syn match lalaAnnotation "@\h\w*"
syn match lalaNumber "\<\d\+\>\|-\d\+\>"
syn match lalaCharacter "'\%(\\.\|[^\\]\)'"
syn match lalaLocal "\%(\w\)\@<!\.\h\w*"
syn match lalaCall "\h\w*:\h\w*"
syn match lalaBuiltin "(\s*\zs\%(and\|or\|not\|isNil\|if\|int\|equals\|max\|min\|len\)\>:\@!"
syn match lalaBuiltin "(\s*\zs\%([=!<>]=\|[-+*/<>]\)\ze\s"
syn match lalaValue "\$"

" A production's text: holes are code again.
syn region lalaString start=+"+ skip=+\\.+ end=+"+ contains=lalaEscape,lalaChild,lalaHole,@Spell
syn match lalaEscape +\\[n+()$#"\\-]+ contained
syn match lalaChild "\${\s*\h\w*\s*:\s*\h\w*\s*}" contained
syn region lalaHole matchgroup=lalaEscape start="#{" end="}" contained
  \ contains=lalaCall,lalaLocal,lalaThis,lalaConstant,lalaNumber,lalaBuiltin,lalaCharacter

hi def link lalaKeyword Keyword
hi def link lalaAttribute StorageClass
hi def link lalaThis Identifier
hi def link lalaConstant Constant
hi def link lalaType Type
hi def link lalaComment Comment
hi def link lalaAnnotation PreProc
hi def link lalaNumber Number
hi def link lalaCharacter Character
hi def link lalaLocal Identifier
hi def link lalaCall Function
hi def link lalaBuiltin Operator
hi def link lalaValue Special
hi def link lalaString String
hi def link lalaEscape SpecialChar
hi def link lalaChild Identifier

let b:current_syntax = "lala"
