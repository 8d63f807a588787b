import { Component, type ReactNode } from "react";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { ErrorScreen } from "@/ui/ErrorScreen";

interface Props {
  children: ReactNode;
  /** A change of this (the address) tries anew. */
  resetKey: string;
}

/** A screen that fails to render takes nothing else with it. */
export class RenderBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render() {
    if (this.state.failed) return <ErrorScreen text={errorTexts.render} backTo={paths.dashboard} />;
    return this.props.children;
  }
}
