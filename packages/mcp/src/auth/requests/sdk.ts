import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import type { AuthorizationServer } from '../storage/records.ts'

/**
 * The official SDK, for its OAuth messages. Loaded when first needed: that takes 150 ms, and most
 * servers need no OAuth.
 */
export function loadSdk(): Promise<typeof import('@modelcontextprotocol/client')> {
  return import('@modelcontextprotocol/client')
}

/** An authorization server as the SDK wants it described: it knows none without a person's page. */
export function toSdkMetadata(server: AuthorizationServer): AuthorizationServerMetadata {
  return {
    ...server,
    authorization_endpoint: server.authorization_endpoint ?? server.token_endpoint,
    response_types_supported: server.response_types_supported ?? ['code'],
  }
}
