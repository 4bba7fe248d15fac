-- Read by vim.lsp.enable('lofting') of Neovim 0.11 and newer.
---@type vim.lsp.Config
return {
  cmd = { 'lofting', 'lsp' },
  filetypes = { 'yaml' },
  -- lofting.toml says where the input sets are; without it the repository is the workspace, because a schema is
  -- looked for in the folders above a values file up to the root.
  root_markers = { 'lofting.toml', '.git', 'vendir.yml' },
  settings = { lofting = vim.empty_dict() },
  -- Makes an entry taken from the CTRL-X CTRL-O menu complete: without it Neovim inserts its name only.
  on_attach = function(client, buffer)
    vim.lsp.completion.enable(true, client.id, buffer, { autotrigger = false })
  end,
}
