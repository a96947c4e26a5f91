/** Asks the server through a link that `kymo view` printed, with the cookie that a browser gets by following it. */
export async function asker(link) {
  const { headers } = await fetch(link);
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return async (path) => (await fetch(new URL(path, link), { headers: { cookie } })).json();
}
