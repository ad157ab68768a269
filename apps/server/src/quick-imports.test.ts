import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'

const quick = new URL('./quick-imports.ts', import.meta.url).href

const files = {
  'a/package.json': '{ "type": "module" }',
  'a/src/main.ts': `import { resolveQuickly } from '${quick}'
    resolveQuickly()
    const { found } = await import('./deep/found.ts')
    const { message } = await import('./none.ts').catch((error) => error)
    const { code } = await import('none').catch((error) => error)
    console.log(JSON.stringify({ found, message, code }))`,
  'a/src/deep/found.ts': `import { sep } from 'node:path'
    import name from 'dep'
    import { own } from '../own.ts'
    export const found: string[] = [sep, name, own]`,
  'a/src/own.ts': `import name from 'dep'
    export const own: string = 'own ' + name`,
  'a/node_modules/dep/package.json': '{ "type": "module", "exports": "./src/index.js" }',
  'a/node_modules/dep/src/index.js': `import part from './part.js'
    import inner from 'inner'
    export default [part, inner].join()`,
  'a/node_modules/dep/src/part.js': `export default 'part'`,
  'a/node_modules/dep/node_modules/inner/index.mjs': `export default 'inner of dep'`,
  'a/node_modules/dep/node_modules/inner/package.json': '{ "exports": "./index.mjs" }',
}

test('files, packages and packages of packages are found, and what is missing is named', async () => {
  await using directory = await temporaryDirectory()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory.path, name)), { recursive: true })
    await writeFile(join(directory.path, name), text)
  }
  const main = join(directory.path, 'a/src/main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main])
  expect(JSON.parse(stdout)).toEqual({
    found: ['/', 'part,inner of dep', 'own part,inner of dep'],
    message: expect.stringContaining(join(directory.path, 'a/src/none.ts')),
    code: 'ERR_MODULE_NOT_FOUND',
  })
})
