import { addressDenied, denied } from './egress-error.ts'
import { type EgressPolicy, toHost, toPolicyRules } from './policy.ts'

/** A place that is about to be connected to: `address` is what `host` was resolved to. */
export interface DialledAddress {
  host: string
  port: number
  address: string
}

export interface AddressCheckOptions {
  policy: EgressPolicy
  /** What error messages call the setting that an administrator changes to allow an address. */
  allowSetting: string
}

/**
 * A policy for what does not speak HTTP: called with every address before it is connected to, it
 * throws `egress_denied`. Throws `config_invalid` for a policy that cannot be read.
 */
export function createAddressCheck({ policy, allowSetting }: AddressCheckOptions) {
  const rules = toPolicyRules(policy)
  return ({ host, port, address }: DialledAddress): void => {
    const destination = { hostname: host.toLowerCase().replace(/\.$/, ''), port }
    const name = toHost(destination)
    if (!rules.allowsPort(destination))
      throw denied(name, `Port ${port} of ${name} is not among the allowed ports.`)
    const found = rules.refusal(destination, address)
    if (found !== undefined) throw addressDenied(name, found, allowSetting)
  }
}
