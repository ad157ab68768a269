import type {
  AllowList,
  AnchorRow,
  ApprovalRow,
  CallLogRow,
  ChangeRow,
  CredentialRow,
  EditionRow,
  Limit,
  ResultRow,
  Rule,
  ServerRow,
  SessionRow,
  SignInRow,
  Subject,
  ToolRow,
  ToolVersionRow,
} from '@dataagent/hub'

interface SubjectColumns {
  subject_kind: Subject['kind']
  subject_id: string
}

export interface AllowListRow extends Omit<AllowList, 'subject' | 'entries'>, SubjectColumns {
  entries: string
}

export interface RuleRow extends Omit<Rule, 'subject' | 'trusts'>, SubjectColumns {
  trusts: string
}

export type LimitRow = Omit<Limit, 'subject'> & SubjectColumns

/** The tables of the governed tool layer. */
export interface HubTables {
  mcp_servers: ServerRow
  mcp_server_editions: EditionRow
  mcp_credentials: CredentialRow
  mcp_sign_ins: SignInRow
  mcp_tools: ToolRow
  mcp_tool_versions: ToolVersionRow
  mcp_allow_lists: AllowListRow
  mcp_rules: RuleRow
  mcp_limits: LimitRow
  /** The row of no tenant and no topic counts for all. */
  hub_revisions: { tenant_id: string; topic: string; revision: number }
  hub_changes: ChangeRow
  hub_sessions: SessionRow
  approvals: ApprovalRow
  mcp_tool_call_log: CallLogRow
  mcp_audit_anchors: AnchorRow
  mcp_results: ResultRow
}
