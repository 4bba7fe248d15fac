-- Types files key by key in real Neovims, all at once, with completion on; the buffers must equal the files.
--   nvim --headless --clean -l tests/typing.lua PLUGIN_FOLDER SERVER [WAY...]
-- The ways of setting Lofting up are listed below; without names, all of them are tried. `LOFTING_TYPING_SPEED=full` types
-- with every delay between 30 and 200 ms, without it most keys come at the short end.

local plugin, server = arg[1], arg[2]
local repository = vim.fs.normalize(plugin .. '/../..')
local full = vim.env.LOFTING_TYPING_SPEED == 'full'

--- How an editor is set up: Lua that runs in it with `plugin` and `server` as arguments.
local ways = {
  -- The control: what Neovim itself does to the text.
  ['without Lofting'] = [[ vim.cmd('filetype plugin indent on') ]],
  ['the plugin'] = [[
    local plugin, server = ...
    vim.opt.runtimepath:prepend(plugin)
    vim.g.lofting = { cmd = { server, 'lsp' } }
    vim.cmd('filetype plugin indent on')
    vim.cmd('runtime plugin/lofting.lua')
  ]],
  -- As nvim-cmp and blink.cmp are often set up: the first entry is selected, and Enter takes it. Neither comes from a
  -- package registry, so this is their manner in Neovim's own menu.
  ['Enter takes the first entry'] = [[
    local plugin, server = ...
    vim.opt.runtimepath:prepend(plugin)
    vim.g.lofting = { cmd = { server, 'lsp' } }
    vim.o.completeopt = 'menuone,noinsert'
    -- Their lists close after a character that belongs to no word; Neovim's stays for an entry such as `name:`. An entry
    -- that is already in the text is nothing to take: the mapping of the manual.
    vim.keymap.set('i', '<CR>', function()
      local before = vim.fn.getline('.'):sub(1, vim.fn.col('.') - 1)
      local list = vim.fn.complete_info({ 'pum_visible', 'items', 'selected' })
      local entry = list.pum_visible == 1 and before:find('[%w_]$') and list.items[math.max(list.selected, 0) + 1]
      local typed = entry and vim.endswith(before, entry.word)
      return list.pum_visible == 0 and '<CR>' or entry and not typed and '<C-y>' or '<C-e><CR>'
    end, { expr = true })
    vim.cmd('filetype plugin indent on')
    vim.cmd('runtime plugin/lofting.lua')
  ]],
  -- Only the file for `vim.lsp.enable`, copied into a configuration.
  ['lsp/lofting.lua alone'] = [[
    local plugin, server = ...
    local config = vim.fn.tempname()
    vim.fn.mkdir(config .. '/lsp', 'p')
    vim.uv.fs_copyfile(plugin .. '/lsp/lofting.lua', config .. '/lsp/lofting.lua')
    vim.opt.runtimepath:prepend(config)
    vim.lsp.config('lofting', { cmd = { server, 'lsp' } })
    vim.cmd('filetype plugin indent on')
    vim.lsp.enable('lofting')
  ]],
}
local tried = #arg > 2 and vim.list_slice(arg, 3) or vim.tbl_keys(ways)
table.sort(tried)

local function read(path)
  return vim.fn.readfile(path)
end

-- The workspace: the examples and the fixture, each a folder below one repository.
local function workspace()
  local root = vim.uv.fs_realpath(vim.fn.fnamemodify(vim.fn.tempname(), ':h')) .. '/typing-' .. vim.uv.hrtime()
  for _, pair in ipairs({ { 'examples', 'examples' }, { 'editors/typing/fleet', 'fleet' } }) do
    local from, to = repository .. '/' .. pair[1], root .. '/' .. pair[2]
    for name, kind in vim.fs.dir(from, { depth = 5 }) do
      if kind == 'file' then
        vim.fn.mkdir(vim.fs.dirname(to .. '/' .. name), 'p')
        vim.uv.fs_copyfile(from .. '/' .. name, to .. '/' .. name)
      end
    end
  end
  for _, name in ipairs({ 'cf-for-k8s', 'minio', 'prometheus', 'webshop' }) do
    vim.fn.mkdir(root .. '/examples/' .. name .. '/.git', 'p')
  end
  vim.fn.mkdir(root .. '/fleet/.git', 'p')
  return root
end

local texts = read(repository .. '/editors/typing/texts.txt')
local passed, failed, running = 0, 0, 0
local lists = {}

--- One person at one keyboard.
local function person(way, root, name, seed)
  local path = root .. '/' .. name
  local lines = read(path)
  vim.fn.writefile({}, path)
  local editor = vim.fn.jobstart({ vim.v.progpath, '--clean', '--headless', '--embed' }, { rpc = true })
  local thread
  local function sleep(milliseconds)
    vim.defer_fn(function()
      local ok, why = coroutine.resume(thread)
      if not ok then
        error(why)
      end
    end, milliseconds)
    coroutine.yield()
  end
  local function remote(code, ...)
    return vim.rpcrequest(editor, 'nvim_exec_lua', code, { ... })
  end
  -- A fixed seed gives each run the same delays.
  local function delay(pause)
    seed = (seed * 1103515245 + 12345) % 2147483648
    local share = (math.floor(seed / 65536) % 1000) / 1000
    if full then
      return 30 + math.floor(share * 170)
    end
    return pause and (share < 0.5 and 30 or 200) or 30 + math.floor(share * 20)
  end
  local function press(key, pause)
    vim.rpcnotify(editor, 'nvim_input', key == '<' and '<lt>' or key)
    sleep(delay(pause))
  end
  --- The rest is typed once the editor has made the new line.
  local function enter(line)
    press('<CR>', true)
    for _ = 1, 200 do
      if remote('return vim.fn.line(".")') > line then
        return
      end
      sleep(5)
    end
  end
  local function before()
    return remote('return vim.fn.strpart(vim.fn.getline("."), 0, vim.fn.col(".") - 1)')
  end
  --- Fixes the indentation that the editor gave the line.
  local function indent(wanted)
    if before():find('%S') then
      press('<C-u>') -- the editor went on with a comment
    end
    while #before() > wanted do
      press('<BS>')
    end
    while #before() < wanted do
      press(' ')
    end
  end

  thread = coroutine.create(function()
    -- Neovim's own indentation moves some lines after their colon was typed; who types YAML switches that off.
    remote([[
      vim.o.swapfile, vim.o.more, vim.o.cmdheight = false, false, 5
      vim.g.lists = 0
      vim.api.nvim_create_autocmd('CompleteChanged', { command = 'let g:lists += 1' })
      vim.api.nvim_create_autocmd('BufEnter', { command = 'setlocal indentkeys-=<:>' })
    ]])
    remote(ways[way], plugin, server)
    vim.rpcrequest(editor, 'nvim_command', 'edit ' .. path)
    for _ = 1, 2000 do
      if way == 'without Lofting' or remote([[
        local client = vim.lsp.get_clients({ bufnr = 0, name = 'lofting' })[1]
        return client ~= nil and client.initialized == true
      ]]) then
        break
      end
      sleep(10)
    end
    press('i')
    for number, line in ipairs(lines) do
      local wanted = #line:match('^ *')
      if line ~= '' then
        indent(wanted)
        for character in vim.iter(vim.fn.split(line:sub(wanted + 1), '\\zs')) do
          press(character, character == ':' or character == ' ' or character == '-')
        end
      end
      if number < #lines then
        enter(number)
      end
    end
    sleep(300)
    press('<Esc>')
    local got = remote('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
    lists[way] = (lists[way] or 0) + remote('return vim.g.lists')
    local messages = vim.trim(remote('return vim.fn.execute("messages")'))
    local equal = vim.deep_equal(got, lines)
    if equal and messages == '' then
      passed = passed + 1
      io.stdout:write('ok   ', way, ': ', name, '\n')
    else
      failed = failed + 1
      local difference = vim.diff(table.concat(lines, '\n') .. '\n', table.concat(got, '\n') .. '\n')
      io.stdout:write('FAIL ', way, ': ', name, '\n', difference, messages, messages ~= '' and '\n' or '')
    end
    vim.rpcnotify(editor, 'nvim_command', 'qall!')
    vim.fn.jobwait({ editor }, 5000)
    running = running - 1
  end)
  running = running + 1
  assert(coroutine.resume(thread))
end

-- Each in a workspace of its own, since some of the texts are schemas for others.
local roots = {}
for _, way in ipairs(tried) do
  assert(ways[way], 'no way is called ' .. way)
  for number, name in ipairs(texts) do
    table.insert(roots, workspace())
    person(way, roots[#roots], name, number)
  end
end
vim.wait(600000, function()
  return running == 0
end, 20)
for _, root in ipairs(roots) do
  vim.fn.delete(root, 'rf')
end
for _, way in ipairs(tried) do
  -- Without any list nothing was tried.
  local shown = ((lists[way] or 0) > 0) == (way ~= 'without Lofting')
  passed, failed = passed + (shown and 1 or 0), failed + (shown and 0 or 1)
  io.stdout:write(shown and 'ok   ' or 'FAIL ', way, ': completion lists changed ', lists[way] or 0, ' times\n')
end
io.stdout:write(passed, ' passed, ', failed, ' failed\n')
os.exit(failed == 0 and running == 0 and 0 or 1)
