import type { Session } from '@dataagent/schema'
import type { Page } from './page.ts'

/** Sessions of a user whose title or messages hold a text. */
export interface SessionSearch {
  /** Literally, without regard to case as far as the database can. Latest activity first. */
  search(tenant_id: string, user_id: string, text: string, page: Page): Promise<Session[]>
  countFound(tenant_id: string, user_id: string, text: string): Promise<number>
}
