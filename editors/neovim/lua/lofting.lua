--- The plugin's options. What the editor does with the server is in lsp/lofting.lua, which also works without this.
local M = {}

--- What `setup` takes, with its defaults.
---@class lofting.Options
---@field cmd? string[] how to start the server
---@field settings? table what the server reads under `lofting.*`
---@field completion? boolean complete while typing (0.11 and newer); nil: unless another plugin does that already
---@field filetypes? string[] nil: YAML under all its names, and lofting.toml
M.options = { cmd = { 'lofting', 'lsp' }, settings = {} }

--- Starts the server for all YAML buffers, now and later. May be called again with other options.
---@param options? lofting.Options
function M.setup(options)
  M.options = vim.tbl_extend('force', M.options, options or {})
  -- Where lsp/lofting.lua, which Neovim reads by itself, finds them.
  vim.g.lofting = M.options
  local config = {
    cmd = M.options.cmd,
    filetypes = M.options.filetypes,
    -- An empty Lua table would be sent as a JSON list.
    settings = { lofting = next(M.options.settings) and M.options.settings or vim.empty_dict() },
  }
  if vim.lsp.config then
    vim.lsp.config('lofting', config)
    -- Read now, not with the first buffer: the commands are there from the start.
    assert(vim.lsp.config.lofting)
    vim.lsp.enable('lofting')
  else
    M.start_by_hand(config)
  end
end

--- Neovim 0.10 has no `vim.lsp.enable`.
---@param config table
function M.start_by_hand(config)
  local base = dofile(vim.api.nvim_get_runtime_file('lsp/lofting.lua', false)[1])
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('lofting', { clear = true }),
    pattern = M.options.filetypes or base.filetypes,
    callback = function(event)
      if vim.fn.executable(config.cmd[1]) == 0 then
        return vim.notify_once(('lofting: the program `%s` cannot be run'):format(config.cmd[1]), vim.log.levels.WARN)
      end
      base.root_dir(event.buf, function(root)
        vim.lsp.start({
          name = 'lofting',
          cmd = config.cmd,
          settings = config.settings,
          root_dir = root or vim.fs.dirname(vim.api.nvim_buf_get_name(event.buf)),
        })
      end)
    end,
  })
end

--- The schema of a buffer's file in a few words, for a status line: `%{%v:lua.require'lofting'.status()%}`. The server is
--- asked when findings change; until it has answered, and without it, there are none.
---@param buffer? integer
---@return string
function M.status(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local known = vim.b[buffer].lofting_status
  if known == nil then
    M.ask_status(buffer)
  end
  return known or ''
end

--- Asks the server for the words of `status`.
---@param buffer integer
function M.ask_status(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'lofting' })[1]
  if not client then
    return
  end
  vim.b[buffer].lofting_status = vim.b[buffer].lofting_status or ''
  local function answered(_, answer)
    if not vim.api.nvim_buf_is_valid(buffer) then
      return
    end
    local words = ''
    if type(answer) == 'table' then
      local schema = answer.schema[1]
      local name = answer.names and answer.names[1]
      words = schema and vim.fs.basename(schema.name) or name or 'no schema'
      if #answer.sets > 0 then
        words = words .. ' (' .. table.concat(answer.sets, ', ') .. ')'
      end
    end
    vim.b[buffer].lofting_status = words
    vim.cmd.redrawstatus()
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('lofting/status', params, answered, buffer)
  else
    client.request('lofting/status', params, answered, buffer)
  end
end

vim.api.nvim_create_autocmd('DiagnosticChanged', {
  group = vim.api.nvim_create_augroup('lofting.status', { clear = true }),
  callback = function(event)
    -- Only where a status line shows it.
    if vim.b[event.buf].lofting_status ~= nil then
      M.ask_status(event.buf)
    end
  end,
})

return M
