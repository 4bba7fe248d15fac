--- Lofting in Neovim: starts the server and offers `:LoftingExplain`.
local M = {}

--- What `setup` takes, with its defaults.
---@class lofting.Options
---@field cmd? string[] how to start the server
---@field settings? table what the server reads under `lofting.*`
---@field completion? boolean complete while typing with Neovim's own completion (0.11 and newer)
---@field filetypes? string[]
M.options = { cmd = { 'lofting', 'lsp' }, settings = {}, completion = false, filetypes = { 'yaml' } }

--- Starts the server for all YAML buffers, now and later. May be called again with other options.
---@param options? lofting.Options
function M.setup(options)
  M.options = vim.tbl_extend('force', M.options, options or {})
  local group = vim.api.nvim_create_augroup('lofting', { clear = true })
  -- An empty Lua table would be sent as a JSON list.
  local section = next(M.options.settings) and M.options.settings or vim.empty_dict()
  local settings = { lofting = section }

  if vim.lsp.config then
    vim.lsp.config('lofting', {
      cmd = M.options.cmd,
      settings = settings,
      filetypes = M.options.filetypes,
      on_attach = function(client, buffer)
        -- Also without the trigger: only so does Neovim insert all of an entry, not its name alone.
        vim.lsp.completion.enable(true, client.id, buffer, { autotrigger = M.options.completion })
      end,
    })
    vim.lsp.enable('lofting')
  else
    vim.api.nvim_create_autocmd('FileType', {
      group = group,
      pattern = M.options.filetypes,
      callback = function(event)
        local root = vim.fs.root(event.buf, { 'lofting.toml', '.git', 'vendir.yml' })
        vim.lsp.start({
          name = 'lofting',
          cmd = M.options.cmd,
          settings = settings,
          root_dir = root or vim.fs.dirname(vim.api.nvim_buf_get_name(event.buf)),
        })
      end,
    })
  end
end

--- Shows which schema governs a file, and why, as `lofting explain` prints it. It reads the file on disk.
---@param path string
function M.explain(path)
  if path == '' then
    vim.notify('lofting: this buffer has no file yet', vim.log.levels.WARN)
    return
  end
  local program = M.options.cmd[1]
  vim.system({ program, 'explain', path }, { text = true }, function(result)
    vim.schedule(function()
      local text = vim.trim((result.stdout or '') .. (result.stderr or ''))
      vim.notify(text, result.code == 0 and vim.log.levels.INFO or vim.log.levels.WARN)
    end)
  end)
end

return M
