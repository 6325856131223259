"""What every paper of the house is made with: pages of a PDF, and how paper says moments."""
