// npm run screens: pictures of every page, in both languages and themes, into docs/screens.
// npm run screens -- first-run: docs/first-run.md from a fresh clone, with times and pictures.
import { spawnSync } from 'node:child_process'
import { execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'

// Without a Chinese font the pictures show boxes.
if (!spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' }).stdout?.trim()) {
  console.error('A Chinese font is needed: install fonts-wqy-microhei')
  exit(1)
}

const program = process.argv[2] === 'first-run' ? 'first-run/test-record' : 'screens/test-main'
const main = fileURLToPath(new URL(`../apps/web/src/testing/${program}.ts`, import.meta.url))

exit(await runProgram(execPath, ['--conditions=dataagent-source', main]))
