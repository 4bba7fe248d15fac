-- Starts the server for YAML files. `vim.g.lofting = false` before this file is read keeps everything off.
if vim.g.loaded_lofting or vim.g.lofting == false then
  return
end
vim.g.loaded_lofting = true

local lofting = require('lofting')
lofting.setup(type(vim.g.lofting) == 'table' and vim.g.lofting or {})

vim.api.nvim_create_user_command('LoftingExplain', function()
  lofting.explain(vim.api.nvim_buf_get_name(0))
end, { desc = 'Say which schema governs this file, and why' })

vim.api.nvim_create_user_command('LoftingFinalValues', function()
  lofting.final_values(vim.api.nvim_get_current_buf())
end, { desc = 'Show the final data values that this file takes part in' })
