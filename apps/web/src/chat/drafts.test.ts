import { expect, test } from 'vitest'
import { createDrafts } from './drafts.ts'

const ana = { tenant_id: 'default', user_id: 'ana' }
const ben = { tenant_id: 'default', user_id: 'ben' }

/** What a tab keeps, up to so many characters. */
function createTab(max = 1_000) {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (i: number) => [...kept.keys()][i] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, text: string) {
      if (text.length > max) throw new Error('QuotaExceededError')
      kept.set(key, text)
    },
    removeItem: (key: string) => void kept.delete(key),
    texts: () => [...kept.values()],
  }
}

test('what was written is there again for whoever wrote it, and for nobody else', () => {
  const tab = createTab()
  const before = createDrafts(ana, tab)
  before.set('c1', 'half a thought')
  before.add('c1', 'and what was queued')
  before.set('c2', 'sent soon')
  before.set('c2', '')
  expect(createDrafts(ana, tab).get('c1')).toBe('half a thought\n\nand what was queued')
  expect(createDrafts(ana, tab).get('c2')).toBeUndefined()
  expect(createDrafts({ ...ana, user_id: 'an' }, tab).get('c1')).toBeUndefined()
  expect(createDrafts({ ...ana, tenant_id: 'other' }, tab).get('c1')).toBeUndefined()
})

test('who signs in next takes out what others have left', () => {
  const tab = createTab()
  createDrafts(ana, tab).set('c1', 'mine')
  const drafts = createDrafts(ben, tab)
  drafts.set('c1', 'his')
  drafts.forgetOthers()
  expect(tab.texts()).toEqual(['his'])
})

test('who signs out leaves nothing, whatever comes after', () => {
  const tab = createTab()
  const drafts = createDrafts(ana, tab)
  drafts.set('c1', 'mine')
  drafts.forget()
  drafts.add('c1', 'what was queued')
  expect(tab.texts()).toEqual([])
})

test('where the tab keeps nothing it lasts as long as the page', () => {
  const tab = createTab(5)
  const drafts = createDrafts(ana, tab)
  drafts.set('c1', 'short')
  drafts.set('c1', 'rather long')
  expect(drafts.get('c1')).toBe('rather long')
  expect(tab.texts()).toEqual([])
  const alone = createDrafts(ana, undefined)
  alone.set('c1', 'mine')
  expect(alone.get('c1')).toBe('mine')
})
