/** What a person enters at the gateway's consent page. */
export interface ConsentFields {
  /** Of a tool group or of a user. */
  key: string
  /** Default: the first that the page offers. */
  group_id?: string
}

/**
 * Plays the browser of a person who allows: opens the page, sends its forms with their cookies, and
 * gives the address that the program's window ends at; for one that gets a code to copy, the page.
 */
export function createConsent({ key, group_id }: ConsentFields) {
  return async (authorizationUrl: string): Promise<string> => {
    const browser = createBrowser(authorizationUrl)
    const first = await browser.open(authorizationUrl)
    const second = await browser.submit(first, { action: 'key', api_key: key })
    const [, offered = ''] = /name="group_id" value="([^"]*)"/.exec(second) ?? []
    return browser.submit(second, { action: 'allow', group_id: group_id ?? offered })
  }
}

function createBrowser(start: string) {
  const { origin } = new URL(start)
  const cookies = new Map<string, string>()

  async function go(url: string, form?: URLSearchParams): Promise<string> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(new URL(url, origin), {
      ...(form && { method: 'POST', body: form }),
      headers: { cookie, 'accept-language': 'en', ...(form && { origin }) },
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location?.startsWith('/')) return go(location)
    if (location === null && response.status !== 200) {
      throw new Error(`the page was answered ${response.status}: ${page.slice(0, 2_000)}`)
    }
    return location ?? page
  }

  return {
    open: (url: string) => go(url),
    submit(page: string, fields: Record<string, string>): Promise<string> {
      const hidden = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
      const form = new URLSearchParams()
      for (const [, name = '', value = ''] of hidden) form.set(name, value)
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1]
      if (action === undefined) throw new Error(`no form on the page: ${page.slice(0, 2_000)}`)
      return go(action, form)
    },
  }
}
