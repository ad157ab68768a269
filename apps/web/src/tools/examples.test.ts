import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examples } from './examples.ts'

const packages = examples.flatMap(({ config }) =>
  'command' in config && config.args !== undefined
    ? [config.args.find((arg) => !arg.startsWith('-')) ?? '']
    : [],
)

test.each(packages)('the example %s runs one version, not the newest [T64]', (named) => {
  expect(named).toMatch(/^(?:@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/)
})

test('packages of the examples that our tests run too are of the same version [T64]', () => {
  const place = join(import.meta.dirname, '../../../../packages/mcp/package.json')
  const { devDependencies } = JSON.parse(readFileSync(place, 'utf8'))
  const ours = packages.filter((named) => named.startsWith('@modelcontextprotocol/'))
  expect(ours.length).toBeGreaterThan(1)
  for (const named of ours) {
    const [, name = '', version] = /^(.+)@(.+)$/.exec(named) ?? []
    expect([name, version]).toEqual([name, devDependencies[name]])
  }
})
