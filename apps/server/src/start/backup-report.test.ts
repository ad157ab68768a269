import { expect, test } from 'vitest'
import type { Backup } from '../backup/index.ts'
import type { Config } from '../config/index.ts'
import { formatBackup } from './backup-report.ts'

test('what could not be copied is named, and no name is more than text to a terminal', () => {
  const left_out = ['workspaces/a\\b.txt', 'workspaces/\u001b[2J\u2028', 'x'.repeat(10_000)]
  const manifest = { files: [], left_out, has_key: false, database: 'sqlite' }
  const made = { manifest, to: '/backup', leftOut: undefined, target: { kind: 'sqlite' } }
  const text = formatBackup({ lang: 'en' } as Config, made as unknown as Backup)
  expect(text).toContain('workspaces/a\\b.txt')
  expect(text).toContain('workspaces/\\u{1b}[2J\\u{2028}')
  for (const odd of ['\u001b', '\u2028', 'x'.repeat(201)]) expect(text).not.toContain(odd)
})
