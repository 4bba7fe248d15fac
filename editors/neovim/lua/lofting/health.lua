--- `:checkhealth lofting`
local M = {}

function M.check()
  local options = require('lofting').options
  vim.health.start('lofting')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  elseif vim.fn.has('nvim-0.10') == 1 then
    vim.health.warn('Neovim 0.10 works, but completes only on request; 0.11 is recommended')
  else
    vim.health.error('Neovim 0.10 or newer is needed')
  end

  local program = options.cmd[1]
  if vim.fn.executable(program) == 0 then
    vim.health.error(('`%s` cannot be run'):format(program), {
      'Install it with `cargo install --path server/lsp` in a clone of the repository,',
      'or set its path: require("lofting").setup({ cmd = { "/path/to/lofting", "lsp" } })',
    })
    return
  end
  local version = vim.system({ program, '--version' }, { text = true }):wait()
  vim.health.ok(vim.trim(version.stdout or program))
  local clients = vim.lsp.get_clients({ name = 'lofting' })
  if #clients == 0 then
    vim.health.info('not running: it starts with the first YAML buffer')
  end
  for _, client in ipairs(clients) do
    vim.health.ok(('running for %s'):format(client.root_dir or 'single files'))
  end
end

return M
