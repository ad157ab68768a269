/**
 * A person with a browser, as far as our consent page goes: enters the key, allows what is asked
 * for, and is sent back to the program.
 * @param {string} url
 * @param {string} key
 */
export async function consent(url, key) {
  const browser = createBrowser()
  const first = await browser.open(url)
  const second = await browser.submit(first, { action: 'key', api_key: key })
  const [, group_id = ''] = /name="group_id" value="([^"]*)"/.exec(second.text) ?? []
  const last = await browser.submit(second, { action: 'allow', group_id })
  if (last.status !== 200) throw new Error(`The person was sent to a page of ${last.status}.`)
}

/** @typedef {{ url: string, status: number, text: string }} Page */

/** Keeps cookies and follows redirects, each by a request of its own. */
function createBrowser() {
  /** @type {Map<string, string>} */
  const cookies = new Map()

  /** @returns {Promise<Page>} */
  async function open(/** @type {string} */ url, /** @type {RequestInit} */ init = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, ...init.headers }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location !== null) return open(new URL(location, url).href)
    return { url, status: response.status, text: await response.text() }
  }

  return {
    open,
    /**
     * Sends the form of a page as it is, with `fields` filled in.
     * @param {Page} page
     * @param {Record<string, string>} fields
     */
    submit({ url, text }, fields) {
      const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? []
      const found = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
      const hidden = Object.fromEntries([...found].map(([, name, value]) => [name, value]))
      const { origin } = new URL(url)
      return open(new URL(action, url).href, {
        method: 'POST',
        headers: { origin, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ ...hidden, ...fields }),
      })
    },
  }
}
