import { type PlainRequest, type PlainResponse, preferredLanguage } from '../../http/index.ts'
import type { Addresses } from '../addresses.ts'
import type { OAuthServerOptions } from '../options.ts'
import { consentPage } from '../pages/consent-page.ts'
import type { PageFrame } from '../pages/layout.ts'
import { codePage, messagePage } from '../pages/message-page.ts'
import { type Language, languages, type Message, type PageError } from '../pages/words.ts'
import type { Standing } from './standing.ts'
import type { OpenTransaction } from './transaction.ts'

export interface ConsentView {
  open: OpenTransaction
  standing: Standing
  status?: number
  error?: PageError
  headers?: PlainResponse['headers'] | undefined
  /** Has the browser ask once more by itself: from a page of ours it sends its sign-in along. */
  isFirst?: boolean
}

/** Makes the pages, in the language of whoever asks. */
export interface PageMaker {
  consent(request: PlainRequest, view: ConsentView): PlainResponse
  message(
    request: PlainRequest,
    message: Message,
    headers?: PlainResponse['headers'],
  ): PlainResponse
  /** Why a program's request cannot be answered. */
  faulty(request: PlainRequest, detail: string): PlainResponse
  code(request: PlainRequest, code: string): PlainResponse
  /** The page of a transaction, to be asked for anew. */
  pathOf(request: PlainRequest, tx: string): string
}

export interface PageMakerOptions extends Pick<OAuthServerOptions, 'people' | 'settings'> {
  addresses: Addresses
}

export function createPageMaker({ people, settings, addresses }: PageMakerOptions): PageMaker {
  const serverName = settings.server_name ?? 'DataAgent'
  const pagePath = addresses.authorizationPath
  const frameOf = (request: PlainRequest): PageFrame => ({
    language: languageOf(request),
    serverName,
  })

  function pathOf(request: PlainRequest, tx: string): string {
    const lang = chosenLanguage(request)
    return `${pagePath()}?${new URLSearchParams({ tx, ...(lang && { lang }) })}`
  }

  return {
    pathOf,
    message: (request, message, headers) => messagePage(message, frameOf(request), { headers }),
    faulty: (request, detail) => messagePage('faulty', frameOf(request), { detail }),
    code: (request, code) => codePage(code, frameOf(request)),
    consent(request, { isFirst, ...view }) {
      const { tx, asked } = view.open
      const own = pathOf(request, tx)
      const language = languageOf(request)
      const other = new URLSearchParams({ tx, lang: language === 'en' ? 'zh' : 'en' })
      return consentPage({
        ...view,
        frame: { language, serverName, otherLanguagePath: `${pagePath()}?${other}` },
        submitPath: `${pagePath()}/submit?lang=${language}`,
        signInPath: people.signInPath(own),
        isForOneGroup:
          asked.resource !== undefined && addresses.groupOf(asked.resource) !== undefined,
        refreshPath: isFirst ? own : undefined,
      })
    },
  }
}

function languageOf(request: PlainRequest): Language {
  return chosenLanguage(request) ?? preferredLanguage(request.headers['accept-language'], languages)
}

function chosenLanguage({ query }: PlainRequest): Language | undefined {
  return languages.find((language) => language === query.get('lang'))
}
