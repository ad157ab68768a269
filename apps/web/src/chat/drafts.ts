import type { Me } from '@dataagent/schema'
import { below } from './below.ts'

/**
 * What is written and not sent, by chat. It lasts as long as the tab, also while nobody is signed
 * in, and is of one person: whoever signs in next finds nothing of it. Never throws: in a browser
 * that keeps nothing it lasts as long as the page.
 */
export interface Drafts {
  get(chat: string): string | undefined
  set(chat: string, text: string): void
  /** Below what is there already. */
  add(chat: string, text: string): void
  /** Takes out what people have left who were signed in before. */
  forgetOthers(): void
  /** Takes out all, for good: what comes later is not kept either. */
  forget(): void
}

type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'dataagent.draft/'

/** Whose draft it is that has no chat yet. */
export const newChat = 'new'

export function createDrafts(
  { tenant_id, user_id }: Pick<Me, 'tenant_id' | 'user_id'>,
  storage = tabStorage(),
): Drafts {
  const own = `${prefix}${encodeURIComponent(tenant_id)}/${encodeURIComponent(user_id)}/`
  const texts = new Map<string, string>()
  let isOver = false
  for (const key of keysOf(storage)) {
    const text = key.startsWith(own) ? storage?.getItem(key) : undefined
    if (text) texts.set(key.slice(own.length), text)
  }

  function set(chat: string, text: string): void {
    if (isOver) return
    if (text === '') texts.delete(chat)
    else texts.set(chat, text)
    keep(storage, own + chat, text)
  }

  return {
    get: (chat) => texts.get(chat),
    set,
    add: (chat, text) => set(chat, below(texts.get(chat) ?? '', text)),
    forgetOthers() {
      for (const key of keysOf(storage)) if (!key.startsWith(own)) keep(storage, key, '')
    },
    forget() {
      for (const chat of [...texts.keys()]) set(chat, '')
      isOver = true
    },
  }
}

function keysOf(storage: TabStorage | undefined): string[] {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? '')
  return keys.filter((key) => key.startsWith(prefix))
}

function keep(storage: TabStorage | undefined, key: string, text: string): void {
  try {
    if (text === '') storage?.removeItem(key)
    else storage?.setItem(key, text)
  } catch {
    // It is full: what was kept before is older than what is shown.
    storage?.removeItem(key)
  }
}

function tabStorage(): TabStorage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
