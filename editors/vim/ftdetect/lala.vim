autocmd BufNewFile,BufRead *.lala setfiletype lala
