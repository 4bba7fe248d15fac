-- Sets Lofting up in both ways, with and without the program, and looks at what a user then has:
--   nvim --headless --clean -l tests/ways.lua PLUGIN_FOLDER SERVER
-- Prints one line for each test and, at the end, `N passed, N failed`.

local plugin, server = arg[1], arg[2]
local passed, failed = 0, 0

local function check(name, condition, got)
  passed, failed = passed + (condition and 1 or 0), failed + (condition and 0 or 1)
  io.stdout:write(condition and 'ok   ' or 'FAIL ', name, '\n')
  if not condition and got ~= nil then
    io.stdout:write('     got: ', vim.inspect(got), '\n')
  end
end

local function wait(condition)
  return vim.wait(20000, condition, 10)
end

local root = vim.fn.tempname()
vim.fn.mkdir(root .. '/.git', 'p')
vim.fn.mkdir(root .. '/values', 'p')
vim.fn.writefile({ '#@data/values-schema', '---', 'port: 80' }, root .. '/schema.yml')
vim.fn.writefile({ 'port: "80"' }, root .. '/values.yml')
vim.fn.writefile({ 'nothing yaml' }, root .. '/notes.txt')

--- Lua run in an editor with `plugin` and the server's `cmd` as arguments.
local ways = {
  ['the plugin'] = [[
    local plugin, cmd = ...
    vim.opt.runtimepath:prepend(plugin)
    vim.g.lofting = { cmd = cmd }
    vim.cmd('runtime plugin/lofting.lua')
  ]],
  ['a link to lsp/lofting.lua'] = [[
    local plugin, cmd = ...
    local config = vim.fn.tempname()
    vim.fn.mkdir(config .. '/lsp', 'p')
    assert(vim.uv.fs_symlink(plugin .. '/lsp/lofting.lua', config .. '/lsp/lofting.lua'))
    vim.opt.runtimepath:prepend(config)
    vim.lsp.config('lofting', { cmd = cmd })
    vim.lsp.enable('lofting')
  ]],
  ['a copy of lsp/lofting.lua'] = [[
    local plugin, cmd = ...
    local config = vim.fn.tempname()
    vim.fn.mkdir(config .. '/lsp', 'p')
    assert(vim.uv.fs_copyfile(plugin .. '/lsp/lofting.lua', config .. '/lsp/lofting.lua'))
    vim.opt.runtimepath:prepend(config)
    vim.lsp.config('lofting', { cmd = cmd })
    vim.lsp.enable('lofting')
  ]],
}

--- An editor set up in one way, with a buffer of `file`; `remote(code, ...)` runs Lua in it.
local function open(way, cmd, file)
  local editor = vim.fn.jobstart({ vim.v.progpath, '--clean', '--headless', '--embed' }, { rpc = true })
  local function remote(code, ...)
    return vim.rpcrequest(editor, 'nvim_exec_lua', code, { ... })
  end
  remote('vim.o.swapfile, vim.o.more, vim.o.cmdheight = false, false, 9')
  vim.rpcrequest(editor, 'nvim_command', 'filetype plugin indent on')
  remote(ways[way], plugin, cmd)
  vim.rpcrequest(editor, 'nvim_command', 'edit ' .. file)
  local function close()
    vim.rpcnotify(editor, 'nvim_command', 'qall!')
    vim.fn.jobwait({ editor }, 5000)
  end
  return remote, close
end

local messages = 'return vim.fn.execute("messages")'
local function text_of(remote)
  return table.concat(remote('return vim.api.nvim_buf_get_lines(0, 0, -1, false)'), '\n')
end

for way in vim.spairs(ways) do
  local function named(what)
    return way .. ': ' .. what
  end
  -- With the program.
  local remote, close = open(way, { server, 'lsp' }, root .. '/values.yml')
  local found = wait(function()
    return remote('return #vim.diagnostic.get(0)') == 1
  end)
  check(named('findings'), found, remote(messages))
  check(
    named('letters start completion'),
    remote([[
      local provider = vim.lsp.get_clients({ name = 'lofting' })[1].server_capabilities.completionProvider
      return vim.list_contains(provider.triggerCharacters, 'r')
    ]])
  )
  local options = remote('return vim.bo.completeopt')
  check(named('nothing is selected by itself'), options:find('noselect', 1, true) ~= nil, options)
  if way ~= 'a copy of lsp/lofting.lua' then
    remote('vim.cmd("help lofting")')
    check(named('help'), text_of(remote):find('*:LoftingExplain*', 1, true) ~= nil, text_of(remote))
    remote('vim.cmd("checkhealth lofting")')
    local health = text_of(remote)
    check(named('health check'), health:find('running for', 1, true) and not health:find('ERROR', 1, true), health)
    check(named('advice how to see findings'), health:find('virtual_text = true', 1, true) ~= nil, health)
  end
  close()

  -- Without it.
  remote, close = open(way, { '/nowhere/lofting', 'lsp' }, root .. '/notes.txt')
  remote('vim.wait(50)')
  check(named('nothing is reported about other files'), not remote(messages):find('lofting:', 1, true), remote(messages))
  remote('vim.cmd.edit(...)', root .. '/values.yml')
  local said = wait(function()
    return remote(messages):find('`/nowhere/lofting` cannot be run', 1, true) ~= nil
  end)
  check(named('a missing program is reported'), said, remote(messages))
  for _, command in ipairs({ 'LoftingExplain', 'LoftingSchema', 'LoftingFinalValues', 'LoftingOutput' }) do
    remote('vim.cmd("messages clear")')
    local ok, why = pcall(remote, 'vim.cmd(...)', command)
    local answer = remote(messages)
    check(
      named(command .. ' says it too'),
      ok and answer:find('cannot be run', 1, true) and not answer:find('traceback', 1, true),
      { why, answer }
    )
  end
  if way ~= 'a copy of lsp/lofting.lua' then
    remote('vim.cmd("checkhealth lofting")')
    check(named('so does the health check'), text_of(remote):find('`/nowhere/lofting` cannot be run', 1, true) ~= nil)
  end
  close()
end

-- A completion plugin is there: no second list.
do
  local remote, close = open('the plugin', { server, 'lsp' }, root .. '/notes.txt')
  remote('package.loaded["blink.cmp"] = {}; vim.cmd.edit(...)', root .. '/values.yml')
  wait(function()
    return remote('return #vim.diagnostic.get(0)') == 1
  end)
  local triggers = remote([[
    return vim.lsp.get_clients({ name = 'lofting' })[1].server_capabilities.completionProvider.triggerCharacters
  ]])
  check('with blink.cmp, completion is left to it', not vim.list_contains(triggers, 'r'), triggers)
  close()
end

-- What the server says about a file's schema, from a server that says just that.
do
  local remote, close = open('the plugin', { server, 'lsp' }, root .. '/notes.txt')
  remote(
    [[
      local root = ...
      vim.lsp.config('lofting', { cmd = function()
        local closing = false
        return {
          request = function(method, params, done)
            local answers = {
              initialize = { capabilities = {} },
              ['lofting/explain'] = { markdown = ('# values.yml\n\nGoverned by [schema.yml](%s#L3).\n'):format(
                vim.uri_from_fname(root .. '/schema.yml')) },
            }
            vim.schedule(function() done(nil, answers[method] or vim.NIL) end)
            return true, 1
          end,
          notify = function() return true end,
          is_closing = function() return closing end,
          terminate = function() closing = true end,
        }
      end })
      vim.cmd.edit(root .. '/values.yml')
    ]],
    root
  )
  wait(function()
    local client = remote("local c = vim.lsp.get_clients({ name = 'lofting' })[1]; return c ~= nil and c.initialized == true")
    return client
  end)
  remote('vim.cmd.LoftingExplain()')
  local floats = wait(function()
    return remote('return vim.api.nvim_win_get_config(0).relative') ~= ''
  end)
  check(':LoftingExplain opens a window of its own', floats, remote(messages))
  check('it says what the server says', text_of(remote):find('Governed by', 1, true) ~= nil, text_of(remote))
  remote('vim.fn.search("Governed"); vim.api.nvim_feedkeys(vim.keycode("<CR>"), "x", false)')
  local place = remote('return { vim.api.nvim_buf_get_name(0), vim.fn.line("."), #vim.api.nvim_list_wins() }')
  check(
    'Enter opens the line that is linked, in the window before',
    vim.endswith(place[1], '/schema.yml') and place[2] == 3 and place[3] == 1,
    place
  )
  close()
end

-- The committed tags of the help are those of its text.
do
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy, 'p')
  vim.uv.fs_copyfile(plugin .. '/doc/lofting.txt', copy .. '/lofting.txt')
  vim.cmd.helptags(copy)
  local wanted, got = vim.fn.readfile(copy .. '/tags'), vim.fn.readfile(plugin .. '/doc/tags')
  check('doc/tags is up to date (:helptags doc)', vim.deep_equal(wanted, got), got)
end

vim.fn.delete(root, 'rf')
io.stdout:write(passed, ' passed, ', failed, ' failed\n')
os.exit(failed == 0 and 0 or 1)
