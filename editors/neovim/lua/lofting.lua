--- Lofting in Neovim: starts the server and offers `:LoftingExplain` and `:LoftingFinalValues`.
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

--- Puts the final data values of a virtual document into its buffer.
---@param client vim.lsp.Client
---@param uri string a file, or the virtual document that belongs to it
---@param done? fun(buffer?: integer)
local function fill(client, uri, done)
  local function show(_, answer)
    if type(answer) ~= 'table' then
      return done and done(nil)
    end
    local buffer = vim.fn.bufadd(answer.uri)
    if vim.bo[buffer].buftype ~= 'nofile' then
      -- Before the buffer is loaded: there is no such file to read.
      vim.bo[buffer].buftype = 'nofile'
      vim.bo[buffer].swapfile = false
      vim.fn.bufload(buffer)
      -- Not the file type: the server must not take it for a file of the user.
      vim.bo[buffer].syntax = 'yaml'
    end
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(vim.trim(answer.text), '\n'))
    vim.bo[buffer].modifiable = false
    vim.bo[buffer].modified = false
    return done and done(buffer)
  end
  local params = { textDocument = { uri = uri } }
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('lofting/finalDataValues', params, show)
  else
    client.request('lofting/finalDataValues', params, show)
  end
end

--- Shows the final data values that a buffer's file takes part in, in a window that follows the edits.
---@param buffer integer
function M.final_values(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'lofting' })[1]
  if not client then
    vim.notify('lofting: the server is not attached to this buffer', vim.log.levels.WARN)
    return
  end
  client.handlers['lofting/finalDataValuesChanged'] = function(_, params)
    for _, each in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(each) and vim.api.nvim_buf_get_name(each) == params.uri then
        fill(client, params.uri)
      end
    end
  end
  fill(client, vim.uri_from_bufnr(buffer), function(found)
    if not found then
      vim.notify('lofting: no data values are known for this file')
    elseif vim.fn.bufwinid(found) == -1 then
      local before = vim.api.nvim_get_current_win()
      vim.cmd('vertical sbuffer ' .. found)
      vim.api.nvim_set_current_win(before)
    end
  end)
end

return M
