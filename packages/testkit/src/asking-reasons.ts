/**
 * Every reason for which a person is asked, in the hub's words. The hub's tests hold it to them;
 * those of pages that say the same in another language go by it.
 */
export const askingReasons = {
  rule: 'a rule of the tenant says so (r-1)',
  server_setting: 'the settings of its server say so',
  own_tool_asks: 'it acts outside of your own space',
  own_tool_by_arguments: 'with these arguments it acts outside of your own space',
  destructive_annotation: 'its server says that it is destructive',
  users_server: 'its server was added by a user',
  after_untrusted_output: 'this run has read output that nobody vouches for',
}
