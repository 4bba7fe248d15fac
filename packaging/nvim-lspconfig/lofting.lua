---@brief
---
--- https://github.com/lofting-yaml/lofting
---
--- Checks, explains and completes YAML against its schema: Kubernetes, ytt, OpenChoreo, JSON Schema, OpenAPI.
---
--- ```sh
--- npm install -g lofting
--- # or
--- pipx install lofting
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'lofting', 'lsp' },
  filetypes = { 'yaml', 'yaml.docker-compose', 'yaml.gitlab', 'yaml.helm-values' },
  root_markers = { 'lofting.toml', '.git', 'vendir.yml' },
  init_options = { userSettings = true },
  settings = { lofting = vim.empty_dict() },
}
