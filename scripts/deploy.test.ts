import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository as root } from './setup/paths.mjs'

const read = (path: string) => readFile(join(root, path), 'utf8')

test('the image copies what is there, and runs as a user without rights', async () => {
  const image = await read('Dockerfile')
  const made = [...image.matchAll(/^COPY --from=made (.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').map((path) => path.replace('/app/', '')),
  )
  expect(made).toContain('apps/server')
  const built = ['node_modules', 'apps/web/dist']
  for (const path of made.filter((path) => !built.includes(path))) {
    expect({ path, isThere: existsSync(join(root, path)) }).toEqual({ path, isThere: true })
  }
  for (const [, script = ''] of image.matchAll(/node (scripts\/\S+)/g)) {
    expect(existsSync(join(root, script))).toBe(true)
  }
  expect(image).toMatch(/^USER node$/m)
  // A volume has the owner of the folder that it is mounted over.
  const composed = await read('docker-compose.yml')
  for (const [, path = ''] of composed.matchAll(/- \w+:(\/data\/\w+)$/gm)) {
    expect(image).toMatch(new RegExp(`mkdir -p .*${path}\\b.* && chown -R node:node /data`))
  }
  expect(image).toContain('apps/server/src/main.ts')
})

test('what is left out of the image is nothing that the server imports', async () => {
  const left = (await read('.dockerignore')).split('\n').filter(Boolean)
  expect(left).toContain('**/node_modules')
  const named = left.filter((path) => !path.includes('*'))
  for (const path of ['packages', 'apps', 'scripts', 'package-lock.json', 'LICENSE']) {
    expect(named).not.toContain(path)
  }
})

test('settings of the composed nodes are settings of the server', async () => {
  const [composed, reference] = await Promise.all([
    read('docker-compose.yml'),
    read('docs/configuration.md'),
  ])
  const names = [...composed.matchAll(/^ {6}([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name)
  const ours = names.filter((name) => !name.startsWith('POSTGRES_'))
  expect(ours).toContain('DATAAGENT_MASTER_KEY')
  for (const name of ours) expect(reference).toContain(`\`${name}\``)
  for (const [, path = ''] of composed.matchAll(/- (\.\/[^:]+):/g)) {
    expect(existsSync(join(root, path))).toBe(true)
  }
})
