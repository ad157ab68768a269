import type { Scope } from '../../tokens/index.ts'

export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** What a page says to a person. */
export interface Words {
  /** Of the language, in itself. */
  otherLanguage: string
  htmlLang: string
  connect(client: string): string
  asks(client: string, server: string): string
  facts: { sentTo: string; mayDo: string }
  ownProgram: string
  byCode: string
  vouched(host: string): string
  unverified: string
  scopes: Record<Scope, string>
  chooseGroup: string
  theGroup: string
  signedInAs(name: string): string
  keyAccepted: string
  otherKey: string
  signIn: string
  orKey: string
  useKeyInstead: string
  key: string
  keyHint: string
  continue: string
  allow: string
  deny: string
  advice: string
  noGroups: {
    none: string
    forOne: string
    forAll: string
    /** The person's key has an allow-list of its own. */
    bound: { title: string; text: string }
  }
  errors: Record<PageError, string>
  messages: Record<Message, { title: string; text: string }>
  code: { title: string; text: string; label: string; advice: string }
}

/** Said on the page of consent, which can then be used again. */
export type PageError =
  | 'wrong_key'
  | 'missing_key'
  | 'other_group'
  | 'missing_group'
  | 'too_many_tries'

/** A page that says one thing. */
export type Message =
  | 'unknown_client'
  | 'unknown_redirect'
  | 'faulty'
  | 'ended'
  | 'other_browser'
  | 'other_page'
  | 'too_many_requests'
  | 'unavailable'
  | 'failed'
  | 'denied'
