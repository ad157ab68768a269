/** Whether an address is of this machine or of a network that is not the internet's. */
export function isNear(url: string): boolean {
  const name = URL.parse(url)?.hostname.toLowerCase() ?? ''
  const isNamed =
    name !== '' && (!/[.:]/.test(name) || /\.(localhost|local|internal|lan)$/.test(name))
  return (
    isNamed || /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(name) || isNearV6(name)
  )
}

function isNearV6(name: string): boolean {
  return /^\[(::1|f[cd]|fe[89ab])/.test(name)
}
