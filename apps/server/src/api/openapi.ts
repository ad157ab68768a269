import { defineRoute, pagePolicy, type Route } from '../deps/index.ts'
import {
  type OpenApiOptions,
  pageStyle,
  preferredLang,
  renderPage,
  toOpenApi,
} from '../models/index.ts'

/**
 * The description of `routes` for programs and for people. The list is read at the first request:
 * these routes may be in it themselves.
 */
export function openApiRoutes(routes: readonly Route[], options: OpenApiOptions): Route[] {
  const given = { tag: 'operations', access: 'public', method: 'GET' } as const
  const document = once(() => toOpenApi(routes, options))
  const text = once(() => JSON.stringify(document()))
  const pages = {
    en: once(() => renderPage(document(), 'en')),
    zh: once(() => renderPage(document(), 'zh')),
  }
  return [
    defineRoute({
      ...{ ...given, path: '/openapi.json', summary: 'This API as an OpenAPI 3.1 document.' },
      raw: { produces: 'application/json' },
      handle: ({ reply }) => reply.type('application/json; charset=utf-8').send(text()),
    }),
    defineRoute({
      ...{ ...given, path: '/docs', summary: 'This API as a page for people.' },
      raw: { produces: 'text/html' },
      handle({ request, reply }) {
        const lang = preferredLang(request.headers['accept-language'])
        reply.headers({ 'content-security-policy': pagePolicy, vary: 'accept-language' })
        return reply.type('text/html; charset=utf-8').send(pages[lang]())
      },
    }),
    defineRoute({
      ...{ ...given, path: '/docs.css', summary: 'The style of that page.' },
      raw: { produces: 'text/css' },
      handle: ({ reply }) => reply.type('text/css; charset=utf-8').send(pageStyle),
    }),
  ]
}

/** What `make` gives, made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
