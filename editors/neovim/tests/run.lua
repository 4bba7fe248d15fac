-- Drives the real Neovim, without a window, against the real server:
--   nvim --headless --clean -l tests/run.lua PLUGIN_FOLDER SERVER
-- Prints one line for each test and, at the end, `N passed, N failed`.

local plugin, server = arg[1], arg[2]
local passed, failed = 0, 0

local function check(name, condition, got)
  if condition then
    passed = passed + 1
    io.stdout:write('ok   ', name, '\n')
  else
    failed = failed + 1
    io.stdout:write('FAIL ', name, got ~= nil and ('\n     got: ' .. vim.inspect(got)) or '', '\n')
  end
end

local function wait(condition)
  return vim.wait(20000, condition, 10)
end

-- A small repository: a schema found by its content, and a plain values file beside it.
local root = vim.fn.tempname()
vim.fn.mkdir(root .. '/config', 'p')
vim.fn.mkdir(root .. '/.git', 'p')
local function file(path, text)
  vim.fn.writefile(vim.split(vim.trim(text), '\n'), root .. '/' .. path)
  return root .. '/' .. path
end
local schema_path = file('config/schema.yml', [[
#@data/values-schema
---
service:
  #@schema/desc "The port which the service listens on"
  port: 8080
  #@schema/validation one_of=["http", "grpc"]
  protocol: http
  tls: false
]])
local values_path = file('values.yml', [[
service:
  port: "80"
  tls: true
]])

vim.opt.runtimepath:prepend(plugin)
vim.g.lofting = { cmd = { server, 'lsp' }, completion = true }
vim.cmd('filetype on')
vim.cmd('runtime plugin/lofting.lua')

vim.cmd.edit(values_path)
local buffer = vim.api.nvim_get_current_buf()

local function client()
  return vim.lsp.get_clients({ bufnr = buffer, name = 'lofting' })[1]
end
local attached = wait(function()
  return client() and client().initialized
end)
check('the server is attached to a YAML buffer', attached)
if not attached then
  io.stdout:write(passed, ' passed, ', failed, ' failed\n')
  os.exit(1)
end
check('the repository is the root', vim.uv.fs_realpath(client().root_dir) == vim.uv.fs_realpath(root), client().root_dir)
check('byte positions are agreed on', client().offset_encoding == 'utf-8', client().offset_encoding)

local function diagnostics()
  return vim.tbl_map(function(d)
    return { line = d.lnum, column = d.col, last = d.end_col, code = d.code, severity = d.severity, message = d.message }
  end, vim.diagnostic.get(buffer))
end
local function has(code, line)
  return vim.iter(diagnostics()):any(function(d)
    return d.code == code and d.line == line
  end)
end

wait(function()
  return has('ytt/type-mismatch', 1)
end)
local found = diagnostics()
check('a string for an integer is reported', has('ytt/type-mismatch', 1), found)
check(
  'on exactly the value',
  found[1] and found[1].column == 8 and found[1].last == 12 and found[1].severity == vim.diagnostic.severity.ERROR,
  found
)
check('and only once', #found == 1, found)

local function request(method, line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  local position = vim.lsp.util.make_position_params(0, client().offset_encoding)
  local answer = client():request_sync(method, position, 20000, buffer)
  return answer and answer.result, answer and answer.err
end

local hover = request('textDocument/hover', 2, 3)
local text = hover and (hover.contents.value or vim.inspect(hover.contents)) or ''
check('hover shows the description', text:find('port which the service listens on', 1, true) ~= nil, text)
check('hover shows the type', text:find('integer', 1, true) ~= nil, text)

local definition = request('textDocument/definition', 2, 3)
local target = definition and (definition[1] or definition)
local uri = target and (target.uri or target.targetUri)
check('the definition is in the schema', uri and vim.endswith(uri, '/config/schema.yml'), definition)

local function labels(line, column)
  local items = request('textDocument/completion', line, column) or {}
  return vim.tbl_map(function(item)
    return item.label
  end, items.items or items)
end
local function has_label(list, label)
  return vim.iter(list):any(function(each)
    return each == label or vim.startswith(each, label .. ':')
  end)
end

-- Half-typed: a new line with the beginning of a key.
vim.api.nvim_buf_set_lines(buffer, 3, 3, true, { '  pro' })
local offered = labels(4, 5)
check('completion offers the missing key', has_label(offered, 'protocol'), offered)
check('and not one that is there', not has_label(offered, 'port'), offered)
vim.api.nvim_buf_set_lines(buffer, 3, 4, true, { '  protocol: ' })
offered = labels(4, 12)
check('completion offers the allowed values', has_label(offered, 'grpc'), offered)

-- As a user does it: typing in an editor of its own, asking for the menu, taking the entry.
local editor = vim.fn.jobstart({ vim.v.progpath, '--clean', '--headless', '--embed' }, { rpc = true })
local function remote(code, ...)
  return vim.rpcrequest(editor, 'nvim_exec_lua', code, { ... })
end
remote(
  [[
    local plugin, server, path = ...
    vim.opt.runtimepath:prepend(plugin)
    vim.o.swapfile = false
    vim.o.completeopt = 'menuone,noselect'
    vim.g.lofting = { cmd = { server, 'lsp' } }
    vim.cmd('filetype on')
    vim.cmd('runtime plugin/lofting.lua')
    vim.cmd.edit(path)
  ]],
  plugin,
  server,
  values_path
)
wait(function()
  return remote('return #vim.diagnostic.get(0) > 0')
end)
local function take(typed)
  vim.rpcnotify(editor, 'nvim_input', typed)
  -- Asked at the speed of a machine, the question looks like one of an editor that asks by itself; then it is asked again.
  wait(function()
    vim.rpcnotify(editor, 'nvim_input', '<C-x><C-o>')
    return vim.wait(1000, function()
      return remote('return vim.fn.pumvisible() == 1')
    end, 10)
  end)
  vim.rpcnotify(editor, 'nvim_input', '<C-n><C-y>')
  wait(function()
    return remote('return vim.fn.pumvisible() == 0')
  end)
  -- What is inserted beyond the entry's name comes after the menu has closed.
  vim.wait(100)
  return remote('return vim.api.nvim_get_current_line()')
end
local line = take('Gopr')
check('a key taken from the menu is a well-formed line', line == '  protocol: ', line)
line = take('gr')
check('a value taken from the menu completes it', line == '  protocol: grpc', line)
vim.rpcnotify(editor, 'nvim_input', '<Esc>')
check(
  'and pleases the schema',
  wait(function()
    return remote('return #vim.diagnostic.get(0)') == 1
  end),
  remote('return vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))')
)
vim.rpcnotify(editor, 'nvim_command', 'qall!')
vim.fn.jobwait({ editor }, 5000)

vim.api.nvim_buf_set_lines(buffer, 1, -1, true, { '  port: 80', '  tls: true', '  protocol: udp' })
wait(function()
  return not has('ytt/type-mismatch', 1) and has('ytt/one-of', 3)
end)
check('fixing a value takes its diagnostic away', not has('ytt/type-mismatch', 1), diagnostics())
check('a value that is not allowed is reported', has('ytt/one-of', 3), diagnostics())

-- The final data values, which follow the edits.
vim.cmd.LoftingFinalValues()
local function final_values()
  local shown = vim.iter(vim.api.nvim_list_bufs()):find(function(each)
    return vim.startswith(vim.api.nvim_buf_get_name(each), 'lofting-values:')
  end)
  return shown and table.concat(vim.api.nvim_buf_get_lines(shown, 0, -1, true), '\n') or ''
end
check(
  'final data values are shown',
  wait(function()
    return final_values():find('port: 80 #!', 1, true) ~= nil
  end),
  final_values()
)
vim.api.nvim_buf_set_lines(buffer, 1, 2, true, { '  port: 8181' })
check(
  'and follow the edits',
  wait(function()
    return final_values():find('port: 8181', 1, true) ~= nil
  end),
  final_values()
)

-- The schema changes in another, unsaved buffer.
vim.cmd.split(schema_path)
local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
lines[#lines] = '  tls: "no"'
vim.api.nvim_buf_set_lines(0, 0, -1, true, lines)
wait(function()
  return has('ytt/type-mismatch', 2)
end)
check('an unsaved schema counts at once', has('ytt/type-mismatch', 2), diagnostics())
vim.cmd('quit!')
check(
  'and no longer once its buffer is gone',
  wait(function()
    return not has('ytt/type-mismatch', 2)
  end),
  diagnostics()
)

-- The user chooses the schema: the first entry that is not in force, in the first place.
vim.fn.mkdir(root .. '/chosen')
file('chosen/schema.yml', '#@data/values-schema\n---\nservice:\n  port: ""')
local before = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
local asked = {}
vim.ui.select = function(items, options, picked)
  table.insert(asked, vim.tbl_map(options.format_item or tostring, items))
  picked(vim.iter(items):find(function(item)
    return item == 'modeline' or (type(item) == 'table' and item.label == 'chosen/schema.yml')
  end))
end
vim.lsp.get_clients({ bufnr = buffer })[1]:notify('workspace/didChangeWatchedFiles', {
  changes = { { uri = vim.uri_from_fname(root .. '/chosen/schema.yml'), type = 1 } },
})
vim.cmd.LoftingSchema()
local function top()
  return vim.api.nvim_buf_get_lines(buffer, 0, 1, true)[1]
end
check(
  'the chosen schema is written at the top of the file',
  wait(function()
    return top() == '#! lofting: schema=chosen/schema.yml'
  end),
  top()
)
check(
  'what is in force is marked, and the user is asked for the place',
  asked[1] and asked[1][1] == '* config/schema.yml (ytt schema)' and #asked == 2,
  asked
)
check(
  'and takes effect',
  wait(function()
    return has('ytt/type-mismatch', 2)
  end),
  diagnostics()
)
vim.cmd('silent undo')
check('and can be undone', vim.deep_equal(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), before), top())
vim.fn.delete(root .. '/chosen', 'rf')
vim.lsp.get_clients({ bufnr = buffer })[1]:notify('workspace/didChangeWatchedFiles', {
  changes = { { uri = vim.uri_from_fname(root .. '/chosen/schema.yml'), type = 3 } },
})

-- Of TOML only lofting.toml is the server's.
vim.cmd.split(file('lofting.toml', '[sets.app]\nfile = ["config"]'))
local toml = vim.api.nvim_get_current_buf()
check(
  'mistakes of lofting.toml are found',
  wait(function()
    return vim.iter(vim.diagnostic.get(toml)):any(function(d)
      return d.code == 'lofting/configuration' and d.lnum == 1
    end)
  end),
  vim.diagnostic.get(toml)
)
vim.cmd('quit!')
vim.cmd.split(file('other.toml', '[sets.app]\nfile = ["config"]'))
check('other TOML is left alone', #vim.lsp.get_clients({ bufnr = 0 }) == 0)
vim.cmd('quit!')

-- What a template renders, which follows the edits and the cursor.
vim.fn.mkdir(root .. '/output')
file('output/lofting.toml', "[sets.app]\nfiles = ['app.yml']")
vim.cmd.split(file('output/app.yml', '#@ port = 80\n---\nname: web\nport: #@ port'))
local template = vim.api.nvim_get_current_buf()
local template_window = vim.api.nvim_get_current_win()
wait(function()
  return #vim.lsp.get_clients({ bufnr = template }) == 1
end)
vim.cmd.LoftingOutput()
local function output()
  return vim.iter(vim.api.nvim_list_bufs()):find(function(each)
    return vim.startswith(vim.api.nvim_buf_get_name(each), 'lofting-output:')
  end)
end
local function output_text()
  return output() and table.concat(vim.api.nvim_buf_get_lines(output(), 0, -1, true), '\n') or ''
end
check(
  'what a template renders is shown',
  wait(function()
    return output_text() == 'name: web\nport: 80'
  end),
  output_text()
)
vim.api.nvim_buf_set_lines(template, 0, 1, true, { '#@ port = 81' })
check(
  'and follows the edits',
  wait(function()
    return output_text() == 'name: web\nport: 81'
  end),
  output_text()
)
local output_window = vim.fn.bufwinid(output())
check('its window says what it is', vim.wo[output_window].winbar == 'app.yml · app · rendered', vim.wo[output_window].winbar)
check('one goes on writing in the template', vim.api.nvim_get_current_buf() == template)
vim.api.nvim_buf_set_lines(template, 0, 1, true, { '#@ port = nope' })
check(
  'an outdated output says so above its lines',
  wait(function()
    return vim.wo[output_window].winbar:find('outdated: app.yml:1: ', 1, true) ~= nil
  end),
  vim.wo[output_window].winbar
)
check('which stay where they are', output_text() == 'name: web\nport: 81', output_text())
vim.api.nvim_buf_set_lines(template, 0, 1, true, { '#@ port = 81' })
check(
  'until it is right again',
  wait(function()
    return vim.wo[output_window].winbar == 'app.yml · app · rendered'
  end),
  vim.wo[output_window].winbar
)
vim.api.nvim_win_set_cursor(template_window, { 4, 0 })
vim.api.nvim_exec_autocmds('CursorMoved', { buffer = template })
check('and the cursor', vim.api.nvim_win_get_cursor(output_window)[1] == 2, vim.api.nvim_win_get_cursor(output_window))
vim.api.nvim_win_set_cursor(output_window, { 1, 0 })
vim.api.nvim_set_current_win(output_window)
vim.cmd.normal(vim.keycode('<CR>'))
check(
  'Enter on a line goes to where it comes from',
  vim.api.nvim_get_current_buf() == template and vim.api.nvim_win_get_cursor(0)[1] == 3,
  vim.api.nvim_win_get_cursor(0)
)
vim.lsp.get_clients({ bufnr = template })[1]:stop()
vim.cmd('only!')
vim.api.nvim_buf_delete(output(), { force = true })

-- Where nothing describes an input set: the schema's defaults, and an offer.
local configured = root
root = vim.fn.tempname()
for _, folder in ipairs({ '/config', '/values', '/.git' }) do
  vim.fn.mkdir(root .. folder, 'p')
end
file('config/schema.yml', '#@data/values-schema\n---\nname: web')
file('values/dev.yml', 'name: dev')
vim.cmd.split(file('config/app.yml', '#@ load("@ytt:data", "data")\n---\nname: #@ data.values.name'))
template = vim.api.nvim_get_current_buf()
wait(function()
  return #vim.lsp.get_clients({ bufnr = template }) == 1
end)
-- The values file is known once the folders were walked.
wait(function()
  local one = vim.lsp.get_clients({ bufnr = template })[1]
  local params = { textDocument = { uri = vim.uri_from_bufnr(template) } }
  local answer = one.initialized and one:request_sync('lofting/renderedOutput', params, 5000, template)
  return answer and answer.result and #answer.result.calls == 2
end)
local select, offered, wanted = vim.ui.select, nil, 1
vim.ui.select = function(items, options, done)
  offered = vim.tbl_map(options.format_item, items)
  done(items[wanted])
end
vim.cmd.LoftingOutput()
check(
  'a values file is offered where no input set is known',
  wait(function()
    return output_text() == 'name: dev'
      or vim.iter(vim.api.nvim_list_bufs()):any(function(each)
        return vim.api.nvim_buf_get_lines(each, 0, -1, false)[1] == 'name: dev'
          and vim.startswith(vim.api.nvim_buf_get_name(each), 'lofting-output:')
      end)
  end),
  output_text()
)
check(
  'and to write the set down',
  vim.deep_equal(offered, { 'config with values/dev.yml', 'Write this input set into lofting.toml' }),
  offered
)
wanted = 2
vim.cmd.LoftingOutput()
local description = root .. '/lofting.toml'
local function described()
  local known = vim.fn.bufnr(description)
  return known ~= -1 and vim.trim(table.concat(vim.api.nvim_buf_get_lines(known, 0, -1, false), '\n')) or ''
end
check(
  'which is an edit',
  wait(function()
    return described() == '[sets.config]\nfiles = ["config"]\nvalues = ["values/dev.yml"]'
  end),
  described()
)
vim.ui.select = select
vim.lsp.get_clients({ bufnr = template })[1]:stop()
vim.cmd('only!')
vim.fn.delete(root, 'rf')
root = configured

-- Other names of YAML, where no other server has them.
for _, case in ipairs({ { 'yaml.docker-compose', true }, { 'yaml.ansible', false } }) do
  vim.lsp.config('ansiblels', { cmd = { 'no-such-server' }, filetypes = { 'yaml.ansible' } })
  vim.lsp.enable('ansiblels')
  vim.cmd.split(file('named-' .. case[1], 'a: 1'))
  vim.bo.filetype = case[1]
  local here = vim.api.nvim_get_current_buf()
  local served = vim.wait(case[2] and 20000 or 300, function()
    return #vim.lsp.get_clients({ bufnr = here, name = 'lofting' }) == 1
  end, 10)
  check(case[1] .. (case[2] and ' is served' or ' is left to its server'), served == case[2])
  vim.cmd('quit!')
end
vim.lsp.enable('ansiblels', false)

-- Colours while no server is there: the groups of the words of a line.
vim.opt.runtimepath:append(plugin .. '/after')
vim.cmd('syntax on')
vim.cmd.edit(file(
  'coloured.yml',
  [[
#@schema/desc "text", f=lambda v: 1
a: 1 #@ x.y == "#@ b":
b: "#@ text" # ordinary
]]
))
local function group(line, word)
  local column = vim.fn.getline(line):find(word, 1, true)
  return vim.fn.synIDattr(vim.fn.synID(line, column, 1), 'name')
end
local groups = {
  group(1, '#@schema'),
  group(1, '"text"'),
  group(1, 'f='),
  group(1, 'lambda'),
  group(2, '#@'),
  group(2, 'y'),
  group(2, '#@ b'),
  group(3, '#@'),
  group(3, '# ord'),
}
check(
  'annotations and code are coloured without the server',
  vim.deep_equal(groups, {
    'yttDecorator',
    'yttString',
    'yttParameter',
    'yttKeyword',
    'yttMacro',
    'yttProperty',
    'yttString',
    'yamlFlowString',
    'yamlComment',
  }),
  groups
)
vim.cmd.edit(file('notes.txt', 'Dear (@= data.values.name @),\n(@ def greet(name): -@)\nHello'))
check('a text template is recognised by its code', vim.bo.filetype == 'ytttext', vim.bo.filetype)
groups = { group(1, 'Dear'), group(1, '(@='), group(1, 'name'), group(1, ','), group(2, 'def'), group(2, 'greet'), group(3, 'Hello') }
check(
  'and is coloured',
  vim.deep_equal(groups, { '', 'yttMacro', 'yttProperty', '', 'yttKeyword', 'yttFunction', '' }),
  groups
)
vim.cmd.edit(file('plain.txt', 'write to (@someone)'))
check('other texts are plain', vim.bo.filetype == 'text', vim.bo.filetype)
vim.cmd.edit(file('f.star', 'def port(name):\n  return 80\nend'))
groups = { vim.bo.filetype, group(1, 'def'), group(2, 'return'), group(3, 'end') }
check(
  'Starlark is coloured',
  vim.deep_equal(groups, { 'starlark', 'pythonStatement', 'pythonStatement', 'pythonStatement' }),
  groups
)
vim.cmd.edit(values_path)

-- The file with colours may have started one as well, if the last one had ended by then.
local stopped = {}
check(
  'the server ends when asked to',
  wait(function()
    for _, one in ipairs(vim.lsp.get_clients()) do
      if one.initialized and not stopped[one.id] then
        stopped[one.id] = true
        one:stop()
      end
    end
    return #vim.lsp.get_clients() == 0
  end)
)

-- Neovim brings no parser for YAML, but one for queries.
for _, name in ipairs({ 'highlights', 'injections' }) do
  local query = table.concat(vim.fn.readfile(plugin .. '/after/queries/yaml/' .. name .. '.scm'), '\n')
  local tree = vim.treesitter.get_string_parser(query, 'query'):parse()[1]
  check('the query ' .. name .. ' is well-formed', not tree:root():has_error(), query)
end

vim.fn.delete(root, 'rf')
io.stdout:write(passed, ' passed, ', failed, ' failed\n')
os.exit(failed == 0 and 0 or 1)
