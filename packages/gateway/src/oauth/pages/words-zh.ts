import type { Words } from './words.ts'

export const chinese: Words = {
  otherLanguage: 'English',
  htmlLang: 'zh-CN',
  connect: (client) => `连接 ${client}`,
  asks: (client, server) => `${client} 请求以您的名义使用 ${server} 的工具。`,
  facts: { sentTo: '之后将跳转到', mayDo: '允许它' },
  ownProgram: '本机上的程序',
  byCode: '不跳转：您会得到一个可复制的授权码',
  vouched: (host) => `由 ${host} 说明`,
  unverified: '该名称由应用自行填写。只有在您刚刚主动发起连接时才继续。',
  scopes: {
    'mcp:read': '查看该工具组的工具，并使用其中的只读工具',
    'mcp:call': '查看并使用该工具组的全部工具，包括会修改数据的工具',
  },
  chooseGroup: '选择工具组',
  theGroup: '工具组',
  signedInAs: (name) => `当前登录：${name}`,
  keyAccepted: '密钥已验证。',
  otherKey: '换一个密钥',
  signIn: '登录',
  orKey: '或使用 API 密钥',
  useKeyInstead: '改用 API 密钥',
  key: 'API 密钥',
  keyHint: '工具组的密钥（mk_…）或您自己的密钥，可向管理员索取。',
  continue: '继续',
  allow: '允许',
  deny: '拒绝',
  advice:
    '管理员可以随时撤销此授权；如果您已登录，也可以在 DataAgent 的账号菜单“已连接的客户端”中自行撤销。',
  noGroups: {
    none: '还没有可供您使用的工具组',
    forOne:
      '您要连接的地址属于一个未对您开放的工具组。请联系管理员开放该工具组，或输入该工具组的密钥。',
    forAll: '请联系管理员创建工具组并向用户开放，或向您提供某个工具组的密钥。',
    bound: {
      title: '该 API 密钥已限定工具',
      text: '设有独立工具清单的密钥不能打开工具组，因为工具组可能包含其他工具。请输入工具组的密钥，或使用未限定工具的密钥登录。',
    },
  },
  errors: {
    wrong_key: 'API 密钥或 OAuth 令牌无效（Invalid API Key or OAuth Token），请检查后重新输入。',
    missing_key: '请输入 API 密钥。',
    other_group: '该密钥属于另一个工具组，与您要连接的地址不符。',
    missing_group: '请选择一个工具组。',
    too_many_tries: '尝试次数过多，请一分钟后再输入密钥。',
  },
  messages: {
    unknown_client: {
      title: '无法识别该应用',
      text: '该应用未注册，或注册已过期。请返回应用，删除此连接后重新连接。',
    },
    unknown_redirect: {
      title: '跳转地址未注册',
      text: '应用要求跳转到一个它没有注册过的地址，因此不会离开本页。请告知该应用的管理者。',
    },
    faulty: {
      title: '应用的请求有误',
      text: '无法处理该请求，没有授予任何权限。请将下方内容告知该应用的管理者。',
    },
    ended: {
      title: '此次请求已结束',
      text: '它已被处理，或已超过十分钟。请返回应用重新连接。',
    },
    other_browser: {
      title: '此次请求是在另一个浏览器中发起的',
      text: '请在发起请求的浏览器中完成（需要启用 Cookie），或从应用重新连接。',
    },
    other_page: {
      title: '该表单不是从本页面提交的',
      text: '未授予任何权限。请返回应用重新连接。',
    },
    too_many_requests: {
      title: '请求过于频繁',
      text: '已超出速率限制（Rate limit exceeded）。请稍等一分钟，再从应用重新连接。',
    },
    unavailable: {
      title: '暂时无法使用',
      text: '服务器无法访问其存储，请几秒后重试。',
    },
    failed: {
      title: '出现错误',
      text: '问题出在我们这边，已被记录。请从应用重新连接。',
    },
    denied: { title: '已拒绝', text: '应用没有获得访问权限，您可以关闭此页面。' },
  },
  code: {
    title: '您的授权码',
    text: '请将它复制到您启动的程序中。它只能使用一次，且很快失效。',
    label: '授权码',
    advice: '请勿提供给其他人：发起请求并得到授权码的人将获得您的权限。',
  },
}
