// Writes the pages that are generated from the source: docs/configuration.md, docs/events.md and
// docs/routes.md.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const condition = '--conditions=dataagent-source'

if (process.execArgv.includes(condition)) {
  const { renderPages } = await import('./docs/render-pages.ts')
  for (const [page, text] of Object.entries(renderPages())) {
    writeFileSync(new URL(`../${page}`, import.meta.url), text)
    console.log(`${page} is up to date`)
  }
} else {
  const self = fileURLToPath(import.meta.url)
  process.exitCode =
    spawnSync(process.execPath, [condition, self], { stdio: 'inherit' }).status ?? 1
}
