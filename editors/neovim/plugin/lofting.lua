-- Starts the server for YAML files. `vim.g.lofting = false` before this file is read keeps everything off.
if vim.g.loaded_lofting or vim.g.lofting == false then
  return
end
vim.g.loaded_lofting = true
require('lofting').setup(type(vim.g.lofting) == 'table' and vim.g.lofting or {})
