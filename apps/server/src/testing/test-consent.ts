/**
 * The person at the consent page who enters a key and allows the group that it opens. Gives the
 * address that the client's window ends at.
 */
export async function allowByKey(authorizationUrl: string, key: string): Promise<string> {
  const cookies: string[] = []

  async function open(url: URL, form?: Record<string, string>): Promise<string> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: cookies.join('; '), ...(form && { origin: url.origin }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    cookies.push(...response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? ''))
    const next = new URL(response.headers.get('location') ?? url, url)
    if (next.href === url.href) return response.text()
    return next.origin === url.origin ? open(next) : next.href
  }

  const submit = async (page: string, fields: Record<string, string>) => {
    const of = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
    const form = { tx: of('tx'), csrf: of('csrf'), ...fields }
    return open(new URL(action, authorizationUrl), { group_id: of('group_id'), ...form })
  }

  const first = await open(new URL(authorizationUrl))
  return submit(await submit(first, { action: 'key', api_key: key }), { action: 'allow' })
}
