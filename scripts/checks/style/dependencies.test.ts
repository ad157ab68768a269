import { describe, expect, test } from 'vitest'
import { findingsOf } from './test-style.ts'

describe('dependencies', () => {
  const reasons = '| name | reason |\n| --- | --- |\n| `zod` | schemas |\n'
  const manifest = (version: string) => ({ name: '@dataagent/y', dependencies: { zod: version } })

  test('a version range is caught [T64]', async () => {
    const files = { 'docs/dependencies.md': reasons }
    expect(await findingsOf({ ...files, 'packages/y/package.json': manifest('4.6.7') })).toEqual([])
    const alias = manifest('npm:@other/zod@4.6.7-beta.1')
    expect(await findingsOf({ ...files, 'packages/y/package.json': alias })).toEqual([])
    for (const range of ['^4.6.7', '*', '4.x', 'latest', 'npm:@other/zod@^4.6.7']) {
      expect(await findingsOf({ ...files, 'packages/y/package.json': manifest(range) })).toEqual([
        `packages/y/package.json:0 zod "${range}": give one exact version`,
      ])
    }
  })

  test('two versions of one dependency are caught', async () => {
    const files = {
      'docs/dependencies.md': reasons,
      'package.json': manifest('4.6.6'),
      'packages/y/package.json': manifest('4.6.7'),
    }
    expect(await findingsOf(files)).toEqual([
      'package.json:0 zod is declared in several versions: 4.6.6, 4.6.7',
    ])
  })

  test('a range of what a user brings is none', async () => {
    const peer = { ...manifest('4.6.7'), peerDependencies: { zod: '^4.6.0' } }
    const files = { 'docs/dependencies.md': reasons, 'packages/y/package.json': peer }
    expect(await findingsOf(files)).toEqual([])
  })

  test('a folder that is installed by itself is looked at too', async () => {
    const packages = { 'node_modules/b': { resolved: 'https://example.com/b.tgz' } }
    const files = {
      'docs/dependencies.md': reasons,
      'packages/y/conformance/package.json': manifest('^4.6.7'),
      'packages/y/conformance/package-lock.json': { packages },
    }
    expect(await findingsOf(files)).toEqual([
      'packages/y/conformance/package.json:0 zod "^4.6.7": give one exact version',
      'packages/y/conformance/package-lock.json:0 node_modules/b is bound to an address',
    ])
  })

  test('a dependency without a reason and a reason without a dependency are caught', async () => {
    expect(await findingsOf({ 'packages/y/package.json': manifest('4.6.7') })).toEqual([
      'docs/dependencies.md:0 zod has no line of reason',
    ])
    expect(await findingsOf({ 'docs/dependencies.md': reasons })).toEqual([
      'docs/dependencies.md:0 zod is no longer a dependency',
    ])
  })

  test('an install script and an address in the lockfile are caught [T64]', async () => {
    const packages = {
      'node_modules/a': { hasInstallScript: true },
      'node_modules/b': { resolved: 'https://example.com/b.tgz' },
      'node_modules/c': { resolved: 'packages/c', link: true },
    }
    expect(await findingsOf({ 'package-lock.json': { packages } })).toEqual([
      'package-lock.json:0 node_modules/a runs an install script',
      'package-lock.json:0 node_modules/b is bound to an address',
    ])
  })

  test('an install script that the root says is not run is none', async () => {
    const packages = {
      'node_modules/a': { hasInstallScript: true },
      'node_modules/x/node_modules/@b/c': { hasInstallScript: true },
    }
    const root = { allowScripts: { a: true, '@b/c': false } }
    const files = { 'package.json': root, 'package-lock.json': { packages } }
    expect(await findingsOf(files)).toEqual([
      'package-lock.json:0 node_modules/a runs an install script',
    ])
  })
})
