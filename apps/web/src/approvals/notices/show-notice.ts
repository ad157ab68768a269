import type { Approval } from '@dataagent/schema'
import type { Lang } from '../../words/words.ts'
import { inboxWords } from '../inbox-words.ts'
import { toWhy } from '../to-why.ts'

interface ShowNotice {
  /** One of them, which is told of. */
  first: Approval
  count: number
  lang: Lang
  onClick(): void
}

/** Nothing where the browser cannot, or may not. */
export function showNotice({ first, count, lang, onClick }: ShowNotice): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const words = inboxWords[lang]
  const { approval_id: tag, tool_name, user_id, reason } = first
  const title = count > 1 ? words.newMany(count) : words.newOne(tool_name)
  const body = words.newAbout(user_id ?? words.somebody, toWhy(reason, words))
  try {
    const shown = new Notification(title, { body, tag })
    shown.onclick = () => {
      window.focus()
      shown.close()
      onClick()
    }
  } catch {
    // Some phones show none that a page makes: the badge of the menu counts them.
  }
}
