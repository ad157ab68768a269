// Writes the pages that are generated from the source: docs/configuration.md.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const condition = '--conditions=dataagent-source'

if (process.execArgv.includes(condition)) {
  const { renderReference } = await import('../apps/server/src/config/reference.ts')
  writeFileSync(new URL('../docs/configuration.md', import.meta.url), renderReference())
  console.log('docs/configuration.md is up to date')
} else {
  const self = fileURLToPath(import.meta.url)
  process.exitCode =
    spawnSync(process.execPath, [condition, self], { stdio: 'inherit' }).status ?? 1
}
