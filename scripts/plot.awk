# Shapes of a plot as SVG, for awk programs that scale values to points themselves.

function svg_begin(width, height, title, description) {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n", width, height
  printf "<title>%s</title>\n", title
  if (description != "") printf "<desc>%s</desc>\n", description
  # A ground of its own keeps the plot legible on light and dark pages.
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height
}

function svg_text(at_x, at_y, anchor, colour, words) {
  printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", at_x, at_y, anchor, colour, words
}

function svg_axes(left, top, right, bottom) {
  printf "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#57606a\"/>\n", left, top, bottom, right
}

# points: "x,y x,y ..". dash is empty or a pattern of strokes.
function svg_line(points, colour, dash) {
  printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"%s\"/>\n",
    colour, dash == "" ? "" : " stroke-dasharray=\"" dash "\"", points
}
