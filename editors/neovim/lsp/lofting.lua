-- Read by `vim.lsp.enable('lofting')` of Neovim 0.11 and newer, with or without the rest of the plugin.

-- Linked into a configuration, this file stands alone in 'runtimepath'; help and health check lie beside its target.
local here = debug.getinfo(1, 'S').source:gsub('^@', '')
local folder = vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(here) or here))
if #vim.api.nvim_get_runtime_file('lua/lofting/health.lua', false) == 0 and vim.uv.fs_stat(folder .. '/lua/lofting') then
  vim.opt.runtimepath:append(folder)
end

--- `vim.g.lofting` as a table.
local function options()
  return type(vim.g.lofting) == 'table' and vim.g.lofting or {}
end

local function warn(text)
  vim.notify('lofting: ' .. text, vim.log.levels.WARN)
end

--- Why the server cannot be started, or nil.
---@param program string
local function missing(program)
  if vim.fn.executable(program) == 1 then
    return nil
  end
  return ('the program `%s` cannot be run; install it with `cargo install --path server/lsp` in a clone of the repository, '):format(program)
    .. "or name it: vim.lsp.config('lofting', { cmd = { '/path/to/lofting', 'lsp' } })"
end

--- The program that is started; nil when that is the user's own function.
local function program()
  local cmd = vim.lsp.config and vim.lsp.config.lofting.cmd or options().cmd or { 'lofting' }
  return type(cmd) == 'table' and cmd[1] or nil
end

-- Neovim starts nothing, and says nothing, when the program is missing.
local told = false
local function tell_if_missing(buffer)
  if told or not (vim.lsp.is_enabled and vim.lsp.is_enabled('lofting')) or not vim.api.nvim_buf_is_valid(buffer) then
    return
  end
  local name = program()
  local why = name and missing(name)
  if why and vim.list_contains(vim.lsp.config.lofting.filetypes or {}, vim.bo[buffer].filetype) then
    told = true
    warn(why)
  end
end

--- Another plugin that completes while typing; two lists at once would be one too many.
local function another_completes()
  return package.loaded['cmp'] ~= nil
    or package.loaded['blink.cmp'] ~= nil
    or package.loaded['coq'] ~= nil
    or rawget(_G, 'MiniCompletion') ~= nil
    or (vim.fn.exists('&autocomplete') == 1 and vim.o.autocomplete)
end

local function attach(client, buffer)
  local completion = options().completion
  if completion == nil then
    completion = not another_completes()
  end
  local provider = client.server_capabilities.completionProvider
  if completion and provider then
    -- Other editors ask while a word is typed; Neovim only after the characters that a server names.
    local letters = vim.split('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_', '')
    for _, character in ipairs(provider.triggerCharacters or {}) do
      if not vim.list_contains(letters, character) then
        table.insert(letters, character)
      end
    end
    provider.triggerCharacters = letters
    -- Without one of these Neovim puts the first entry into the text as soon as the list appears.
    local wanted = vim.opt.completeopt:get()
    if not vim.list_contains(wanted, 'noselect') and not vim.list_contains(wanted, 'noinsert') then
      vim.bo[buffer].completeopt = vim.o.completeopt .. ',menuone,noselect'
    end
  end
  -- Also without the trigger: only so is an entry of the CTRL-X CTRL-O menu inserted whole, not its name alone.
  vim.lsp.completion.enable(true, client.id, buffer, { autotrigger = completion })
end

--- The client of a buffer; says why when there is none.
local function client_of(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'lofting' })[1]
  if not client then
    local name = program()
    warn(name and missing(name) or 'the server is not attached to this buffer')
  end
  return client
end

local function request(client, method, params, done)
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, done)
  else
    client.request(method, params, done)
  end
end

--- Opens the first link of the line below the cursor, in the window `window`.
local function follow_link(window)
  local target = vim.api.nvim_get_current_line():match('%]%(<?([^)>]+)>?%)')
  if not target then
    return
  end
  if not vim.startswith(target, 'file:') then
    return vim.ui.open(target)
  end
  local uri, line = target:match('^([^#]+)#?L?(%d*)')
  vim.api.nvim_win_close(0, true)
  vim.api.nvim_set_current_win(window)
  vim.cmd.edit(vim.fn.fnameescape(vim.uri_to_fname(uri)))
  if line ~= '' then
    vim.api.nvim_win_set_cursor(0, { math.min(tonumber(line), vim.api.nvim_buf_line_count(0)), 0 })
  end
end

--- Says which schema governs a buffer's file, and why, in a window of its own; `<CR>` on a link opens it.
local function explain(buffer)
  local client = client_of(buffer)
  if not client then
    return
  end
  local window = vim.api.nvim_get_current_win()
  request(client, 'lofting/explain', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, function(err, answer)
    if err or type(answer) ~= 'table' then
      return warn(err and err.message or 'the server has no answer')
    end
    local lines = vim.split(vim.trim(answer.markdown), '\n')
    local float, shown = vim.lsp.util.open_floating_preview(lines, 'markdown', {
      border = 'rounded',
      focus_id = 'lofting-explain',
      max_width = math.max(40, math.min(100, vim.o.columns - 4)),
      title = ' Which schema, and why ',
    })
    vim.keymap.set('n', '<CR>', function()
      follow_link(window)
    end, { buffer = float, desc = 'Open the link of this line' })
    vim.api.nvim_set_current_win(shown)
  end)
end

--- Puts the final data values of a virtual document into its buffer.
---@param uri string a file, or the virtual document that belongs to it
---@param done? fun(buffer?: integer)
local function fill(client, uri, done)
  request(client, 'lofting/finalDataValues', { textDocument = { uri = uri } }, function(_, answer)
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
  end)
end

--- Shows the final data values that a buffer's file takes part in, in a window that follows the edits.
local function final_values(buffer)
  local client = client_of(buffer)
  if not client then
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

vim.api.nvim_create_user_command('LoftingExplain', function()
  explain(vim.api.nvim_get_current_buf())
end, { desc = 'Say which schema governs this file, and why' })
vim.api.nvim_create_user_command('LoftingFinalValues', function()
  final_values(vim.api.nvim_get_current_buf())
end, { desc = 'Show the final data values that this file takes part in' })
vim.api.nvim_create_autocmd('FileType', {
  group = vim.api.nvim_create_augroup('lofting.missing', { clear = true }),
  callback = function(event)
    tell_if_missing(event.buf)
  end,
})
-- The buffer whose file type made Neovim read this file.
local first = vim.api.nvim_get_current_buf()
vim.schedule(function()
  tell_if_missing(first)
end)

-- lofting.toml says where the input sets are; without it the repository is the workspace, because a schema is
-- looked for in the folders above a values file up to the root.
local root_markers = { 'lofting.toml', '.git', 'vendir.yml' }

--- Of all TOML only `lofting.toml` is the server's.
local function root_dir(buffer, start)
  local name = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].filetype == 'toml' and vim.fs.basename(name) ~= 'lofting.toml' then
    return
  end
  start(vim.fs.root(buffer, root_markers))
end

---@type vim.lsp.Config
return {
  cmd = { 'lofting', 'lsp' },
  filetypes = { 'yaml', 'toml' },
  root_markers = root_markers,
  root_dir = root_dir,
  settings = { lofting = vim.empty_dict() },
  on_attach = attach,
}
