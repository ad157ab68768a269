import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { rows } from './boundaries/rooms.mjs'
import { boundaryChecks } from './boundaries.mjs'
import { runChecks } from './findings.mjs'
import { plantTree } from './test-tree.ts'
import { readTree, type Tree } from './tree.mjs'

type Files = Record<string, string | object>

const repository = fileURLToPath(new URL('../..', import.meta.url))

function manifest(folder: string, fields: object = {}) {
  const base = {
    name: `@dataagent/${folder}`,
    version: '0.1.0',
    license: 'Apache-2.0',
    type: 'module',
  }
  return { ...base, exports: { '.': {} }, ...fields }
}

const uses = (...names: string[]) => ({
  dependencies: Object.fromEntries(names.map((name) => [`@dataagent/${name}`, '0.1.0'])),
})

/** Two packages that keep every rule; each test adds its own fault. */
const sound: Files = {
  'packages/schema/package.json': manifest('schema'),
  'packages/schema/src/index.ts': 'export {}\n',
  'packages/guard/package.json': manifest('guard', uses('schema')),
  'packages/guard/src/index.ts': "export { a } from './egress/index.ts'\n",
  'packages/guard/src/egress/index.ts': "export { a } from './a.ts'\n",
  'packages/guard/src/egress/a.ts': "import '@dataagent/schema'\nexport const a = 1\n",
}

async function findingsOf(files: Files) {
  await using planted = await plantTree({ ...sound, ...files })
  return linesOf(await readTree(planted.root))
}

const linesOf = (tree: Tree) =>
  runChecks(boundaryChecks, tree).map(
    ({ file, line, message }) => `${file}:${line ?? 0} ${message}`,
  )

test('the planted tree without a fault has no findings', async () => {
  expect(await findingsOf({})).toEqual([])
})

test('the repository itself keeps the direction of imports [D1.5]', async () => {
  const tree = await readTree(repository)
  expect(linesOf(tree)).toEqual([])
  expect(tree.packages.length).toBeGreaterThan(4)
})

test('as a command it prints each fault and exits with 1 [D1.5]', async () => {
  await using planted = await plantTree({
    ...sound,
    'packages/schema/src/bad.ts': "import '@dataagent/guard'\n",
  })
  const script = fileURLToPath(new URL('./boundaries.mjs', import.meta.url))
  const failed = await promisify(execFile)(process.execPath, [script, planted.root]).catch((e) => e)
  expect(failed.code).toBe(1)
  expect(failed.stdout).toContain('packages/schema/src/bad.ts:1  boundary')
})

describe('an import against the direction is caught [D1.5]', () => {
  const faults: [form: string, source: string][] = [
    ['import', "import { x } from '@dataagent/guard'"],
    ['bare import', "import '@dataagent/guard'"],
    ['import type', "import type { X } from '@dataagent/guard'"],
    ['export from', "export { x } from '@dataagent/guard'"],
    ['export star', "export * from '@dataagent/guard'"],
    ['dynamic import', "export const x = await import('@dataagent/guard')"],
    ['dynamic import of a template', 'export const x = await import(`@dataagent/guard`)'],
    ['require', "export const x = require('@dataagent/guard')"],
    ['type query', "export type X = import('@dataagent/guard').X"],
    ['after a regular expression', "export const r = /['/*]/; import '@dataagent/guard'"],
    ['inside a template', "export const t = `$\u007Bawait import('@dataagent/guard')}`"],
  ]
  test.each(faults)('%s', async (_form, source) => {
    expect(await findingsOf({ 'packages/schema/src/bad.ts': `\n${source}\n` })).toEqual([
      'packages/schema/src/bad.ts:2 packages/schema may not import @dataagent/guard: it may import no other package',
    ])
  })

  test('but comments, strings and templates are not imports', async () => {
    const source = [
      "// import '@dataagent/guard'",
      "/* export * from '@dataagent/guard' */",
      'export const a = "import \'@dataagent/guard\'"',
      "export const b = `import '@dataagent/guard'`",
    ]
    expect(await findingsOf({ 'packages/schema/src/fine.ts': source.join('\n') })).toEqual([])
  })

  test('core and gateway do not know each other', async () => {
    const files = {
      'packages/gateway/package.json': manifest('gateway', uses('core')),
      'packages/gateway/src/index.ts': "import '@dataagent/core'\n",
    }
    expect(await findingsOf(files)).toEqual([
      'packages/gateway/package.json:0 packages/gateway may not depend on @dataagent/core',
      expect.stringContaining('packages/gateway may not import @dataagent/core'),
    ])
  })

  test('core never imports an app: no row allows one', () => {
    const apps = Object.keys(rows).flatMap((dir) => /^apps\/(.+)/.exec(dir)?.[1] ?? [])
    const importable = Object.values(rows).flatMap((row) => [...row.imports, ...(row.types ?? [])])
    expect(apps).toContain('server')
    expect(importable.filter((name) => apps.includes(name))).toEqual([])
  })
})

describe('store and testkit', () => {
  const store = (source: string) => ({
    'packages/hub/package.json': manifest('hub'),
    'packages/store/package.json': manifest('store', uses('hub')),
    'packages/store/src/ports.ts': source,
  })

  test('store takes types of the rooms whose ports it implements', async () => {
    expect(await findingsOf(store("import type { Kv } from '@dataagent/hub'\n"))).toEqual([])
  })

  test.each([
    "import { kv } from '@dataagent/hub'\n",
    "import { type Kv } from '@dataagent/hub'\n",
  ])('store may not load them: %s', async (source) => {
    expect(await findingsOf(store(source))).toEqual([
      'packages/store/src/ports.ts:1 packages/store may not import @dataagent/hub: only its types, by `import type`',
    ])
  })

  const server = (path: string, name = 'store') => ({
    'apps/server/package.json': manifest('server', uses(name)),
    ...Object.fromEntries(
      ['api', 'ws', 'hitl', 'models', 'deps'].map((room) => [
        `apps/server/src/${room}/index.ts`,
        'export {}\n',
      ]),
    ),
    [`apps/server/src/${path}`]: `import '@dataagent/${name}'\n`,
  })

  test('only the composition of an app knows the store', async () => {
    expect(await findingsOf(server('compose/index.ts'))).toEqual([])
    expect(await findingsOf(server('routes.ts'))).toEqual([
      'apps/server/src/routes.ts:1 only src/compose/ and src/main.ts may know the store: pass it down from there',
    ])
  })

  test('testkit is for tests and stays in devDependencies', async () => {
    expect(await findingsOf(server('routes.test.ts', 'testkit'))).toEqual([
      'apps/server/package.json:0 @dataagent/testkit belongs in devDependencies',
    ])
    expect(await findingsOf(server('routes.ts', 'testkit'))).toContain(
      'apps/server/src/routes.ts:1 apps/server may not import @dataagent/testkit: testkit is for tests, bench and examples',
    )
  })
})

test('a row may let one subpath of a package in, and nothing else of it', async () => {
  const web = (specifier: string) => ({
    'packages/data/package.json': manifest('data', { exports: { '.': {}, './charts': {} } }),
    'apps/web/package.json': manifest('web', uses('data')),
    'apps/web/src/main.ts': `import '${specifier}'\n`,
  })
  expect(await findingsOf(web('@dataagent/data/charts'))).toEqual([])
  expect(await findingsOf(web('@dataagent/data'))).toEqual([
    'apps/web/src/main.ts:1 apps/web may not import @dataagent/data: it may import client, schema, data/charts',
  ])
})

describe('ways around the package entry', () => {
  test.each([
    [
      'a relative path out of the package',
      "import '../../schema/src/index.ts'",
      'leaves packages/guard',
    ],
    ['a path into the source', "import '@dataagent/schema/src/index.ts'", 'is not exported by'],
    ['its own name', "import '@dataagent/guard'", 'imports itself by name'],
  ])('%s is caught', async (_name, source, message) => {
    expect(await findingsOf({ 'packages/guard/src/bad.ts': source })).toEqual([
      expect.stringContaining(message),
    ])
  })

  test('an example in a folder of the same name as a package is not that package', async () => {
    const files = {
      'examples/guard/package.json': manifest('example-guard', uses('guard')),
      'examples/guard/01-first.ts': "import '@dataagent/guard'\n",
    }
    expect(await findingsOf(files)).toEqual([])
  })

  test('an import that package.json does not declare is caught', async () => {
    const files = { 'packages/guard/package.json': manifest('guard') }
    expect(await findingsOf(files)).toEqual([
      'packages/guard/src/egress/a.ts:1 @dataagent/schema is not in the dependencies of packages/guard/package.json',
    ])
  })

  test('a dev dependency does not carry shipped code', async () => {
    const { dependencies } = uses('schema')
    const files = {
      'packages/guard/package.json': manifest('guard', { devDependencies: dependencies }),
    }
    expect(await findingsOf(files)).toHaveLength(1)
  })
})

describe('rooms', () => {
  test('another room is entered through its index.ts only [D1.3]', async () => {
    expect(await findingsOf({ 'packages/guard/src/bad.ts': "import './egress/a.ts'\n" })).toEqual([
      'packages/guard/src/bad.ts:1 "./egress/a.ts" reaches into the room egress: import what its index.ts exports',
    ])
  })

  test('a room without index.ts is caught [D1.3]', async () => {
    expect(await findingsOf({ 'packages/guard/src/masking/mask.ts': 'export {}\n' })).toEqual([
      expect.stringContaining('packages/guard/src/masking/index.ts:0 the room has no index.ts'),
    ])
  })

  test('what only tests use is open to the tests of other rooms, not to shipped code', async () => {
    const files = (importer: string) => ({
      'packages/guard/src/testing/test-server.ts': 'export {}\n',
      [`packages/guard/src/egress/${importer}`]: "import '../testing/test-server.ts'\n",
    })
    expect(await findingsOf(files('a.test.ts'))).toEqual([])
    expect(await findingsOf(files('b.ts'))).toEqual([
      'packages/guard/src/egress/b.ts:1 "../testing/test-server.ts" is for tests: shipped code may not need it',
    ])
  })

  const coreRooms = ['engine', 'events', 'middleware', 'tools', 'hitl', 'config', 'session']
  const cliRooms = ['ui', 'input', 'hitl', 'commands']
  const nameOf = (dir: string) => (dir === 'apps/cli' ? { name: 'dataagent' } : {})

  test.each([
    ['packages/core [D1.1]', 'packages/core', coreRooms],
    ['apps/cli [D1.2]', 'apps/cli', cliRooms],
  ])('every missing room of %s is named', async (_title, dir, names) => {
    const files = (rooms: string[]) => ({
      [`${dir}/package.json`]: manifest(dir.split('/')[1] ?? '', nameOf(dir)),
      ...Object.fromEntries(rooms.map((room) => [`${dir}/src/${room}/index.ts`, 'export {}\n'])),
    })
    expect(await findingsOf(files(names))).toEqual([])
    for (const missing of names) {
      expect(await findingsOf(files(names.filter((name) => name !== missing)))).toEqual([
        expect.stringContaining(`${dir}/src/${missing}/index.ts`),
      ])
    }
  })
})

describe('package.json [D1.4]', () => {
  test('a package without one is caught', async () => {
    expect(await findingsOf({ 'packages/mcp/src/index.ts': '' })).toEqual([
      'packages/mcp/package.json:0 the package has no package.json',
    ])
  })

  test.each([
    ['name', { name: 'guard' }],
    ['version', { version: undefined }],
    ['license', { license: undefined }],
    ['type', { type: 'commonjs' }],
  ])('a wrong or missing %s is caught', async (field, fields) => {
    const files = {
      'packages/guard/package.json': manifest('guard', { ...uses('schema'), ...fields }),
    }
    expect(await findingsOf(files)).toEqual([expect.stringContaining(`"${field}"`)])
  })

  test('an example says in its name that it is one', async () => {
    const named = (name: string) => ({ 'examples/mcp/package.json': manifest(name) })
    expect(await findingsOf(named('example-mcp'))).toEqual([])
    expect(await findingsOf(named('mcp'))).toEqual([
      'examples/mcp/package.json:0 "name" must be @dataagent/example-mcp',
    ])
  })

  test('the command may depend on the server that it starts, and import nothing of it', async () => {
    const rooms = ['ui', 'input', 'hitl', 'commands']
    const files = (source: string) => ({
      'apps/cli/package.json': manifest('cli', { name: 'dataagent', ...uses('server') }),
      ...Object.fromEntries(rooms.map((room) => [`apps/cli/src/${room}/index.ts`, 'export {}\n'])),
      'apps/cli/src/main.ts': source,
    })
    expect(await findingsOf(files(''))).toEqual([])
    expect(await findingsOf(files("import '@dataagent/server/main'"))).toEqual([
      expect.stringContaining('apps/cli may not import @dataagent/server'),
    ])
  })

  test('a package that the table does not know is caught', async () => {
    expect(await findingsOf({ 'packages/misc/package.json': manifest('misc') })).toEqual([
      expect.stringContaining('add a row to scripts/checks/boundaries/rooms.mjs'),
    ])
  })
})
