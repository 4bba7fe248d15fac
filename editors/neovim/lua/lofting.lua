--- The plugin's options. What the editor does with the server stands in lsp/lofting.lua, which also works without this.
local M = {}

--- What `setup` takes, with its defaults.
---@class lofting.Options
---@field cmd? string[] how to start the server
---@field settings? table what the server reads under `lofting.*`
---@field completion? boolean complete while typing (0.11 and newer); nil: unless another plugin does that already
---@field filetypes? string[]
M.options = { cmd = { 'lofting', 'lsp' }, settings = {}, filetypes = { 'yaml', 'toml' } }

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
    pattern = M.options.filetypes,
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

return M
