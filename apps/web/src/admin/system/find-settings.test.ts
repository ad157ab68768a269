import { expect, test } from 'vitest'
import { findSettings, type Setting } from './find-settings.ts'

const setting = (name: string, origin: Setting['origin'], en: string): Setting => ({
  ...{ name, origin, value: 1, env: `DATAAGENT_${name.toUpperCase()}`, flag: `--${name}` },
  about: { en, zh: '端口' },
})
const settings = [
  setting('port', 'env', 'Where the server listens'),
  setting('workers', 'default', 'How many processes there are'),
]

test('settings are found by every word, in names and in what is said of them', () => {
  const find = (q: string, origin?: string) =>
    findSettings(settings, { q, origin, lang: 'en' }).map(({ name }) => name)
  expect(find('')).toEqual(['port', 'workers'])
  expect(find('SERVER listens')).toEqual(['port'])
  expect(find('dataagent_workers')).toEqual(['workers'])
  expect(find('', 'env')).toEqual(['port'])
  expect(find('server', 'flag')).toEqual([])
  expect(findSettings(settings, { q: '端口', lang: 'zh' })).toHaveLength(2)
})
