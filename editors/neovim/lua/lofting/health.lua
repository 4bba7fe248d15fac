--- `:checkhealth lofting`
local M = {}

--- The command that starts the server, whichever way Lofting was set up.
local function command()
  local config = vim.lsp.config and vim.lsp.config.lofting
  return config and config.cmd or require('lofting').options.cmd
end

local function completion()
  if vim.fn.has('nvim-0.11') == 0 then
    return
  end
  local options = type(vim.g.lofting) == 'table' and vim.g.lofting or {}
  if options.completion == false then
    vim.health.info('completion while typing is off; CTRL-X CTRL-O asks for it')
  elseif package.loaded['cmp'] or package.loaded['blink.cmp'] or package.loaded['coq'] then
    vim.health.ok('completion while typing is left to the completion plugin')
  else
    vim.health.ok("completion while typing: Neovim's own")
  end
end

local function findings()
  local shown = vim.diagnostic.config() or {}
  if shown.virtual_text or shown.virtual_lines then
    vim.health.ok('findings are shown beside the text')
  else
    vim.health.info(
      'findings are only underlined; to read them beside the text, put this into init.lua:\n'
        .. 'vim.diagnostic.config({ virtual_text = true })'
    )
  end
end

function M.check()
  vim.health.start('lofting')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  elseif vim.fn.has('nvim-0.10') == 1 then
    vim.health.warn('Neovim 0.10 works, but completes only on request; 0.11 is recommended')
  else
    vim.health.error('Neovim 0.10 or newer is needed')
  end

  local cmd = command()
  local program = type(cmd) == 'table' and cmd[1]
  if program and vim.fn.executable(program) == 0 then
    vim.health.error(('`%s` cannot be run'):format(program), {
      'Install it with `cargo install --path server/lsp` in a clone of the repository,',
      "or name it: vim.lsp.config('lofting', { cmd = { '/path/to/lofting', 'lsp' } })",
    })
    return
  end
  if program then
    local version = vim.system({ program, '--version' }, { text = true }):wait()
    vim.health.ok(vim.trim(version.stdout or program):match('^[^\n]*'))
  end
  local clients = vim.lsp.get_clients({ name = 'lofting' })
  if #clients == 0 then
    vim.health.info('not running: it starts with the first YAML buffer')
  end
  for _, client in ipairs(clients) do
    vim.health.ok(('running for %s'):format(client.root_dir or 'single files'))
  end
  completion()
  findings()
end

return M
