export function Desk() {
  return <h1>Desk</h1>;
}
