/** What a suite tells of one run. */
export interface ScenarioRun {
  /** Of the server. */
  url: string
  /** Whatever the scenario needs besides: credentials, calls to make. */
  context: ScenarioContext
}

export interface ScenarioContext {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[]
  client_id?: string
  client_secret?: string
  private_key_pem?: string
  signing_algorithm?: string
  idp_client_id?: string
  idp_id_token?: string
  idp_token_endpoint?: string
  valid_jwt?: string
}

/** What a client does in a scenario. Whether it did it right is for the suite to see. */
export type Scenario = (run: ScenarioRun) => Promise<void>
