import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { wrapComments } from './checks/style/wrap-comments.mjs'
import { isCode, readTree } from './checks/tree.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { files } = await readTree(root)
for (const { path, text } of [...files.values()].filter(isCode)) {
  const wrapped = wrapComments(path, text)
  if (wrapped !== text) await writeFile(join(root, path), wrapped)
}
const biome = join(root, 'node_modules/.bin/biome')
exit(spawnSync(biome, ['check', '--write'], { cwd: root, stdio: 'inherit' }).status ?? 1)
