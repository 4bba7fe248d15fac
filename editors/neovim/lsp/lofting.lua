-- Read by `vim.lsp.enable('lofting')` of Neovim 0.11 and newer, with or without the rest of the plugin.

-- Linked into a configuration, this file is alone in 'runtimepath'; help and health check are beside its target.
local here = debug.getinfo(1, 'S').source:gsub('^@', '')
local folder = vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(here) or here))
if #vim.api.nvim_get_runtime_file('lua/lofting/health.lua', false) == 0 and vim.uv.fs_stat(folder .. '/lua/lofting') then
  vim.opt.runtimepath:append(folder)
end

--- The file types that are YAML under another name, with the servers (by their names in `lsp/`) that serve them: where one
--- of these is enabled, the file type is left to it. The extension of VS Code has the same for its languages.
local yaml_types = {
  ['yaml'] = {},
  ['yaml.docker-compose'] = { 'docker_compose_language_service', 'docker_language_server' },
  ['yaml.ansible'] = { 'ansiblels' },
  ['yaml.github'] = { 'gh_actions_ls' },
  ['yaml.github-actions'] = { 'gh_actions_ls' },
  ['yaml.gitlab'] = { 'gitlab_ci_ls' },
  ['yaml.helm-values'] = { 'helm_ls' },
  ['yaml.kubernetes'] = {},
  ['yaml.openapi'] = { 'vacuum' },
  ['yaml.cloudformation'] = {},
  ['helm'] = { 'helm_ls' },
  ['dockercompose'] = { 'docker_compose_language_service', 'docker_language_server' },
  ['azure-pipelines'] = { 'azure_pipelines_ls' },
}

-- By their names ytt's text templates are plain text, so only their content tells.
vim.filetype.add({
  pattern = {
    ['.*%.txt'] = function(path, buffer)
      local text = buffer and table.concat(vim.api.nvim_buf_get_lines(buffer, 0, 1000, false), '\n') or ''
      if path:match('%.lib%.txt$') or text:match('%(@[=%-%s].-@%)') then
        return 'ytttext'
      end
    end,
  },
})

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
    -- After `key: ` the few values of a key are listed. The server does not name the space itself, because of editors
    -- that put the first entry into the text at once.
    table.insert(letters, ' ')
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

--- Lets the user choose the schema or the input set of a buffer's file. The choice is an edit, which can be undone.
local function choose_schema(buffer)
  local client = client_of(buffer)
  if not client then
    return
  end
  local document = { uri = vim.uri_from_bufnr(buffer) }
  local function write(choice, place)
    local params = { textDocument = document, choice = choice.choice, place = place }
    request(client, 'lofting/chooseSchema', params, function(err, edit)
      if err or type(edit) ~= 'table' then
        return warn(err and err.message or 'the files have changed meanwhile; choose again')
      end
      vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
    end)
  end
  local places = { configuration = 'In lofting.toml', modeline = 'In a comment at the top of the file' }
  local function choose_place(choice)
    if not choice then
      return
    end
    if #choice.places == 1 then
      return write(choice, choice.places[1])
    end
    vim.ui.select(choice.places, {
      prompt = 'Where is the choice written?',
      format_item = function(place)
        return places[place]
      end,
    }, function(place)
      if place then
        write(choice, place)
      end
    end)
  end
  request(client, 'lofting/schemaChoices', { textDocument = document }, function(err, answer)
    if err or type(answer) ~= 'table' then
      return warn(err and err.message or 'the server does not know this file')
    end
    if #answer.choices == 0 then
      return vim.notify('lofting: there is nothing to choose. ' .. answer.reason)
    end
    vim.ui.select(answer.choices, {
      prompt = 'Schema or input set of this file',
      format_item = function(choice)
        return ('%s%s (%s)'):format(choice.inForce and '* ' or '', choice.label, choice.description)
      end,
    }, choose_place)
  end)
end

--- Puts the text of a virtual document into its buffer.
---@param method string
---@param uri string a file, or the virtual document that belongs to it
---@param done? fun(buffer?: integer, answer?: table)
local function fill(client, method, uri, done)
  request(client, method, { textDocument = { uri = uri } }, function(_, answer)
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
    return done and done(buffer, answer)
  end)
end

--- Fills the buffers of virtual documents again whenever the server says that they have changed.
---@param filled? fun(buffer?: integer, answer?: table)
local function keep_filled(client, method, filled)
  client.handlers[method .. 'Changed'] = function(_, params)
    for _, each in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(each) and vim.api.nvim_buf_get_name(each) == params.uri then
        fill(client, method, params.uri, filled)
      end
    end
  end
end

--- Shows a buffer in a window of its own, unless there is one.
local function show_beside(buffer)
  if vim.fn.bufwinid(buffer) == -1 then
    local before = vim.api.nvim_get_current_win()
    vim.cmd('vertical sbuffer ' .. buffer)
    vim.api.nvim_set_current_win(before)
  end
end

--- Shows the final data values that a buffer's file takes part in, in a window that follows the edits.
local function final_values(buffer)
  local client = client_of(buffer)
  if not client then
    return
  end
  keep_filled(client, 'lofting/finalDataValues')
  fill(client, 'lofting/finalDataValues', vim.uri_from_bufnr(buffer), function(found)
    if not found then
      vim.notify('lofting: no data values are known for this file')
    else
      show_beside(found)
    end
  end)
end

--- Where the lines of outputs come from, by buffer: the server's answers.
local outputs = {}

--- Puts the cursor of a window on a line, from 0.
local function go_to_line(window, line)
  local last = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_set_cursor(window, { math.min(line + 1, last), 0 })
end

--- Goes from a line of an output to the place it comes from.
local function go_to_source(buffer, window)
  local answer = outputs[buffer]
  for line = vim.api.nvim_win_get_cursor(0)[1], 1, -1 do
    local place = answer and answer.lines[line]
    if type(place) == 'table' then
      local source = vim.uri_to_bufnr(answer.sources[place[1] + 1])
      if not vim.api.nvim_win_is_valid(window) then
        return
      end
      vim.api.nvim_set_current_win(window)
      vim.api.nvim_win_set_buf(window, source)
      vim.bo[source].buflisted = true
      return go_to_line(window, place[2])
    end
  end
end

--- Text for a line at the top of a window, which stays where it is while one scrolls.
local function bar(text)
  return (text:gsub('%%', '%%%%'):gsub('%c', ' '))
end

--- Says above an output what it is, and why it is outdated: its own lines stay where they are.
local function show_title(output, answer)
  local file = vim.fs.basename(vim.uri_to_fname((answer.uri:gsub('^[%w-]+:', 'file:', 1):gsub('%?.*', ''))))
  local label = answer.call
  for _, call in ipairs(answer.calls) do
    label = call.title == answer.call and call.label or label
  end
  local title = table.concat({ file, type(label) == 'string' and label or 'no input set', 'rendered' }, ' · ')
  local reason = answer.stale and answer.reasons[1]
  local text = bar(title) .. (reason and ' %#WarningMsg#outdated: ' .. bar(reason) .. '%*' or '')
  for _, window in ipairs(vim.fn.win_findbuf(output)) do
    vim.wo[window].winbar = text
    -- Pale as a whole, while it is outdated.
    vim.wo[window].winhighlight = reason and 'Normal:Comment,NormalNC:Comment' or ''
  end
end

--- Shows in all outputs what becomes of the line that the cursor is on.
local function follow_cursor(buffer)
  local uri, line = vim.uri_from_bufnr(buffer), vim.api.nvim_win_get_cursor(0)[1] - 1
  for output, answer in pairs(outputs) do
    local window = vim.fn.bufwinid(output)
    local from, at = -1, nil
    for index, place in ipairs(window == -1 and {} or answer.lines) do
      if type(place) == 'table' and answer.sources[place[1] + 1] == uri and place[2] <= line and place[2] > from then
        from, at = place[2], index - 1
      end
    end
    if at then
      go_to_line(window, at)
    end
  end
end

--- The call that was chosen last, by its title.
local chosen

--- Writes the input set that a file is assumed to belong to into lofting.toml, as an edit.
local function describe(client, uri)
  request(client, 'lofting/describeInputSet', { textDocument = { uri = uri } }, function(err, edit)
    if err or type(edit) ~= 'table' then
      return warn(err and err.message or 'the server does not know this file')
    end
    vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
    vim.notify('lofting: the input set is written down; :wall saves it')
  end)
end

--- Says that an input set is assumed, and offers what can be done about it.
local function offer(client, uri, answer, show_call)
  local choices = vim.list_slice(answer.calls, 2)
  table.insert(choices, { title = 'Write this input set into lofting.toml' })
  vim.ui.select(choices, {
    prompt = ('No input set is known; shown is what `%s` renders. Something else?'):format(answer.assumed.command),
    format_item = function(call)
      return call.title
    end,
  }, function(call)
    if call and call.uri then
      show_call(call)
    elseif call then
      describe(client, uri)
    end
  end)
end

--- Shows what a buffer's file renders, or its whole input set, in a window that follows the edits and the cursor.
local function output(buffer, whole)
  local client = client_of(buffer)
  if not client then
    return
  end
  local window = vim.api.nvim_get_current_win()
  local function filled(shown, answer)
    if not shown then
      return
    end
    outputs[shown] = answer
    show_title(shown, answer)
    vim.keymap.set('n', '<CR>', function()
      go_to_source(shown, window)
    end, { buffer = shown, desc = 'Go to where this line comes from' })
  end
  local function show(uri)
    keep_filled(client, 'lofting/renderedOutput', filled)
    fill(client, 'lofting/renderedOutput', uri, function(shown, answer)
      if shown then
        show_beside(shown)
      end
      filled(shown, answer)
    end)
  end
  vim.api.nvim_create_autocmd('CursorMoved', {
    group = vim.api.nvim_create_augroup('lofting.output', { clear = true }),
    callback = function(event)
      follow_cursor(event.buf)
    end,
  })
  local uri = vim.uri_from_bufnr(buffer)
  request(client, 'lofting/renderedOutput', { textDocument = { uri = uri } }, function(_, answer)
    if type(answer) ~= 'table' then
      return vim.notify('lofting: the server does not know this file')
    end
    local function show_call(call)
      if call then
        chosen = call.title
        show(whole and call.setUri or call.uri)
      end
    end
    if type(answer.assumed) == 'table' then
      show_call(answer.calls[1])
      return offer(client, uri, answer, show_call)
    end
    if #answer.calls < 2 then
      return #answer.calls == 0 and show(uri) or show_call(answer.calls[1])
    end
    table.sort(answer.calls, function(a, b)
      return a.title == chosen and b.title ~= chosen
    end)
    vim.ui.select(answer.calls, {
      prompt = 'Which input set is rendered?',
      format_item = function(call)
        return call.title
      end,
    }, show_call)
  end)
end

--- Commands of code lenses, by the names under which the server may send them.
local lenses = {
  ['lofting.explain'] = function(_, context)
    explain(context.bufnr)
  end,
  ['lofting.showFinalDataValues'] = function(_, context)
    final_values(context.bufnr)
  end,
  ['lofting.showReferences'] = function(command, context)
    local client, place = client_of(context.bufnr), command.arguments
    if not client then
      return
    end
    local params = {
      textDocument = { uri = place[1] },
      position = place[2],
      context = { includeDeclaration = false },
    }
    request(client, 'textDocument/references', params, function(_, found)
      vim.fn.setqflist({}, ' ', {
        title = command.title,
        items = vim.lsp.util.locations_to_items(found or {}, client.offset_encoding),
      })
      vim.cmd('botright copen')
    end)
  end,
  ['lofting.showRenderedOutput'] = function(_, context)
    output(context.bufnr, false)
  end,
}
for name, run in pairs(lenses) do
  vim.lsp.commands[name] = run
end

vim.api.nvim_create_user_command('LoftingExplain', function()
  explain(vim.api.nvim_get_current_buf())
end, { desc = 'Say which schema governs this file, and why' })
vim.api.nvim_create_user_command('LoftingSchema', function()
  choose_schema(vim.api.nvim_get_current_buf())
end, { desc = 'Choose the schema or the input set of this file' })
vim.api.nvim_create_user_command('LoftingFinalValues', function()
  final_values(vim.api.nvim_get_current_buf())
end, { desc = 'Show the final data values that this file takes part in' })
vim.api.nvim_create_user_command('LoftingOutput', function(command)
  output(vim.api.nvim_get_current_buf(), command.bang)
end, { bang = true, desc = 'Show what this file renders; with a bang, what its whole input set does' })
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

--- Of all TOML only `lofting.toml` is the server's, of all Starlark `*.star`, and other names of YAML are where no other server has them.
local function root_dir(buffer, start)
  local name = vim.api.nvim_buf_get_name(buffer)
  local filetype = vim.bo[buffer].filetype
  if filetype == 'toml' and vim.fs.basename(name) ~= 'lofting.toml' then
    return
  end
  if filetype == 'starlark' and not vim.endswith(name, '.star') then
    return
  end
  for _, other in ipairs(yaml_types[filetype] or {}) do
    if vim.lsp.is_enabled and vim.lsp.is_enabled(other) then
      return
    end
  end
  start(vim.fs.root(buffer, root_markers))
end

--- Says `off` in place of `auto` where another server checks all YAML: the server cannot know of it. What the user chose
--- stays.
local function without_twins(_, config)
  if not (vim.lsp.is_enabled and vim.lsp.is_enabled('yamlls')) then
    return
  end
  local chosen = vim.deepcopy(config.settings and config.settings.lofting or {})
  local meant = function(choice)
    return (choice == nil or choice == 'auto') and 'off' or choice
  end
  local validate = chosen.validate or {}
  -- Both forms of a name are read.
  if chosen['validate.otherYaml'] == nil then
    validate.otherYaml = meant(validate.otherYaml)
    chosen.validate = validate
  end
  chosen.builtInSchemas = meant(chosen.builtInSchemas)
  -- In place: the client has this table already.
  config.settings = config.settings or {}
  config.settings.lofting = chosen
end

---@type vim.lsp.Config
return {
  cmd = { 'lofting', 'lsp' },
  filetypes = vim.list_extend({ 'toml', 'starlark', 'ytttext' }, vim.tbl_keys(yaml_types)),
  root_markers = root_markers,
  root_dir = root_dir,
  settings = { lofting = vim.empty_dict() },
  -- Settings come from the user's configuration; Neovim takes none from a repository.
  init_options = { userSettings = true },
  before_init = without_twins,
  capabilities = {
    -- Neovim applies edits that name versions and create files, but does not say so.
    workspace = { workspaceEdit = { documentChanges = true } },
    experimental = { commands = { commands = vim.tbl_keys(lenses) } },
  },
  on_attach = attach,
}
